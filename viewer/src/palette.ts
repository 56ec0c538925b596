// Colours, for light and dark surroundings. The categorical ones follow Okabe and Ito (2008), "Color
// Universal Design", darkened or lightened where their contrast with the page was too low;
// test/palette.test.mjs checks contrast and distance, also as colour-blind people see them.

export interface Colors {
  paper: string; // behind everything
  panel: string; // behind charts
  ink: string; // text, and the nominal response
  soft: string; // secondary text
  rule: string; // hairlines, grids
  mean: string; // the mean, and what is statistics
  sample: string; // single realisations
  now: string; // the time cursor
  random: string; // parts with uncertain numbers
  fail: string; // failed realisations
  series: string[]; // studies, germs: told apart by order
}

export const LIGHT: Colors = {
  paper: "#f7f6f2",
  panel: "#fffefb",
  ink: "#1f2529",
  soft: "#5d666c",
  rule: "#dedbd2",
  mean: "#0072b2",
  sample: "#8a9298",
  now: "#c24a00",
  random: "#b97a00",
  fail: "#c24a00",
  series: ["#0072b2", "#c27c00", "#007f5c", "#b04f86", "#7a3300", "#2b9fdc"],
};

export const DARK: Colors = {
  paper: "#14181b",
  panel: "#1a1f23",
  ink: "#eceae4",
  soft: "#a0a9af",
  rule: "#333b41",
  mean: "#56b4e9",
  sample: "#7d878e",
  now: "#ff8a4c",
  random: "#e69f00",
  fail: "#ff8a4c",
  series: ["#56b4e9", "#e69f00", "#12a078", "#e094bf", "#f0e442", "#4a7fd0"],
};
