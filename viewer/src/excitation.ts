// Random drives: what some realisations look like, and whether the sample has the spectrum that was asked for.
import { Chart } from "./chart";
import { choice, facts } from "./controls";
import { el } from "./dom";
import type { Figure } from "./figure";
import { number, plural } from "./format";
import { type Context, numbers, section, type Section } from "./page";
import type { RandomDrive } from "./payload";

function profileFigure(context: Context, drive: RandomDrive): Figure {
  const time = numbers(context, drive.time);
  const values = numbers(context, drive.profiles);
  const profiles = drive.profiles.shape[0];
  return {
    file: `${context.study.label}-${drive.name}`,
    title: drive.name,
    unit: drive.unit,
    x: time,
    xLabel: "time",
    xUnit: "s",
    areas: [],
    lines: Array.from({ length: profiles }, (_, k) => ({
      label: `realisation ${k}`,
      y: values.slice(k * time.length, (k + 1) * time.length),
      color: k,
      width: k === 0 ? 1.6 : 1,
      opacity: k === 0 ? 1 : 0.55,
    })),
  };
}

function spectrumFigure(context: Context, drive: RandomDrive): Figure {
  return {
    file: `${context.study.label}-${drive.name}-spectrum`,
    title: `spectral density of ${drive.name}, one-sided`,
    unit: drive.unit ? `${drive.unit}²/Hz` : "1/Hz",
    x: numbers(context, drive.frequency),
    xLabel: "frequency",
    xUnit: "Hz",
    xLog: true,
    yLog: true,
    areas: [
      {
        label: "95 % of such samples",
        lower: numbers(context, drive.lower),
        upper: numbers(context, drive.upper),
        color: "mean",
        opacity: 0.2,
      },
    ],
    lines: [
      { label: "target", y: numbers(context, drive.target), color: "mean", width: 1.5, dash: [5, 4] },
      { label: `sample of ${drive.profiles_behind}`, y: numbers(context, drive.sample), color: 1, width: 1.8 },
    ],
  };
}

export function excitationSection(context: Context): Section | null {
  const { excitation } = context.study;
  if (!excitation) return null;
  const charts: { profile?: Chart; spectrum?: Chart } = {};
  const places = { profile: el("div"), spectrum: el("div"), told: el("div") };
  const put = (name: keyof typeof charts, figure: Figure): void => {
    const chart = charts[name];
    if (chart) chart.update(figure);
    else {
      charts[name] = new Chart(figure, name === "profile" ? { height: 260, cursor: context.cursor } : { height: 260 });
      places[name].append(charts[name]!.element);
    }
  };
  const show = (k: number): void => {
    const drive = excitation.drives[k];
    put("profile", profileFigure(context, drive));
    if (numbers(context, drive.frequency).length > 1) put("spectrum", spectrumFigure(context, drive));
    places.told.replaceChildren(
      facts([
        ["Type", drive.type.replace("_", " ")],
        ["Standard deviation", `${number(drive.std, 3)} ${drive.unit}`.trim()],
        ["Frequencies", `${number(drive.band[0], 3)} to ${number(drive.band[1], 3)} Hz`],
        ["Random numbers in a realisation", number(drive.germs, 6)],
      ]),
    );
  };
  show(0);
  const names = excitation.drives.map((drive) => drive.name);
  const made = section(
    "excitation",
    "Random excitation",
    `${plural(names.length, "random drive")}, another profile in every realisation. Spectra are means over bands of frequencies.` +
      (excitation.numbers_vary ? " Profiles are drawn here with the nominal numbers of the drives, some of which are uncertain." : ""),
    names.length > 1 ? el("div", "picker", choice("Drive", names, 0, show)) : null,
    el("div", "grid two", places.profile, places.spectrum),
    places.told,
  );
  return { ...made, charts: () => Object.values(charts), destroy: () => Object.values(charts).forEach((chart) => chart.destroy()) };
}
