// Elements of the page. Text goes in as text nodes only: names and titles come from model files, and
// whatever they hold is shown, never interpreted.

export type Child = Node | string | number | null | false | undefined;
type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Properties {
  class?: string;
  id?: string;
  title?: string;
  attributes?: Record<string, string>;
  on?: Handlers;
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties | string = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const p: Properties = typeof properties === "string" ? { class: properties } : properties;
  if (p.class) element.className = p.class;
  if (p.id) element.id = p.id;
  if (p.title) element.title = p.title;
  for (const [name, value] of Object.entries(p.attributes ?? {})) element.setAttribute(name, value);
  for (const [name, handler] of Object.entries(p.on ?? {})) element.addEventListener(name, handler as EventListener);
  fill(element, ...children);
  return element;
}

/** Replaces what an element holds. */
export function fill(element: Element, ...children: Child[]): void {
  element.textContent = "";
  for (const child of children) {
    if (child === null || child === false || child === undefined) continue;
    element.append(typeof child === "number" ? String(child) : child);
  }
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

let counter = 0;
/** An id that nothing else in the page has. */
export const unique = (stem: string): string => `${stem}-${++counter}`;
