// The one time that scene and curves share. Playing is the only thing that runs by itself.

export class TimeCursor {
  private listeners = new Set<(time: number) => void>();
  private stateListeners = new Set<() => void>();
  private last: number | null = null;
  private now: number;
  playing = false;
  /** Simulated seconds per second. */
  speed: number;

  constructor(
    readonly start: number,
    readonly end: number,
    readonly step: number,
  ) {
    this.now = start;
    this.speed = (end - start) / 6;
  }

  get time(): number {
    return this.now;
  }

  onTime(listener: (time: number) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  onState(listener: () => void): void {
    this.stateListeners.add(listener);
  }

  set(time: number): void {
    this.now = Math.min(this.end, Math.max(this.start, time));
    for (const listener of this.listeners) listener(this.now);
  }

  /** By output steps, forward or back. */
  scrub(steps: number): void {
    this.pause();
    this.set(this.now + steps * this.step);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.playing) return;
    if (this.now >= this.end) this.set(this.start);
    this.playing = true;
    this.last = null;
    this.tell();
    requestAnimationFrame((stamp) => this.frame(stamp));
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.tell();
  }

  private frame(stamp: number): void {
    if (!this.playing) return;
    // A frame that came late (a hidden tab) moves time by at most a tenth of a second's worth.
    const elapsed = this.last === null ? 0 : Math.min(0.1, (stamp - this.last) / 1000);
    this.last = stamp;
    this.set(this.now + elapsed * this.speed);
    if (this.now >= this.end) this.pause();
    else requestAnimationFrame((next) => this.frame(next));
  }

  private tell(): void {
    for (const listener of this.stateListeners) listener();
  }
}

/** Space plays, arrows scrub, Home and End jump; not while a control that uses these keys has the focus. */
export function bindKeys(current: () => TimeCursor | null): void {
  document.addEventListener("keydown", (event) => {
    const cursor = current();
    if (!cursor || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (target.closest("input, select, textarea, [role=tab], [contenteditable]")) return;
    const onButton = target.closest("button, a, summary") !== null;
    const big = event.shiftKey ? 10 : 1;
    if (event.key === " " && !onButton) cursor.toggle();
    else if (event.key === "ArrowRight") cursor.scrub(big);
    else if (event.key === "ArrowLeft") cursor.scrub(-big);
    else if (event.key === "Home" && target.closest("[data-time]")) cursor.set(cursor.start);
    else if (event.key === "End" && target.closest("[data-time]")) cursor.set(cursor.end);
    else return;
    event.preventDefault();
  });
}
