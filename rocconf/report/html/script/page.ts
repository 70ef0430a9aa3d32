/**
 * What moves on the page: a threshold, tied to the counts, the rates and the charts.
 *
 * Without this script the page has its verdict, tables and static charts. All numbers come from the counts that the page
 * holds; text from data reaches the page as text nodes only.
 */
import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";

type Limits = Record<string, (number | null)[]>;
type Mode = "threshold" | "alarms" | "fpr" | "tpr";
type Point = [number, number];

interface Bins { low: number; high: number; positives: number[]; negatives: number[] }

interface Curve {
  model: string; p: number; q: number; low: boolean; probabilities: boolean; all: number;
  thresholds: (number | string | null)[]; tp: number[]; fp: number[]; hull: number[];
  points: { rule: string; threshold: number | string | null; row: number; chosen: boolean }[];
  segment: Point | null; bins: Bins | null; limits: Limits | null;
}

interface Page {
  command: string; level: number; z: number; prevalence: number | null; cost: number[] | null; baseline: string | null;
  models: Curve[];
}

interface Rate { value: number | null; lower: number | null; upper: number | null }

interface State {
  model: number; row: number;
  /** The threshold that was given, if it is another than the score of the row that flags the same cases. */
  given: number | null;
  cost: number; prevalence: number | null; mode: Mode; off: Set<number>; layers: Set<string>;
}

const WIDTH = 400, HEIGHT = 340, LEFT = 58, RIGHT = 12, TOP = 12, BOTTOM = 44;
const SVG = "http://www.w3.org/2000/svg";
const NOTHING = "–";
const STEP = 2; // how much "a miss costs twice as much" multiplies

const MEANINGS: Record<string, string> = {
  tpr: "found: share of the positives", fpr: "false alarms: share of the negatives", specificity: "share of the negatives left alone",
  precision: "share of the alarms that are right", npv: "share of those left alone that are negative", accuracy: "share decided rightly",
  balanced_accuracy: "mean of tpr and specificity", f1: "harmonic mean of precision and tpr", mcc: "Matthews' correlation",
  youden_j: "tpr less fpr", lift: "precision over prevalence", predicted_positive_rate: "share of the cases that raise an alarm",
};

const MODES: Record<Mode, string> = {
  threshold: "the same threshold", alarms: "as many alarms", fpr: "the same share of false alarms", tpr: "the same share found",
};

/** How the other models are compared where one goes to an operating point of a rule: at points of the same rule. */
function modeOf(rule: string): Mode | null {
  const [measure] = /^[a-z_]+/.exec(rule) ?? [""];
  return ({ fpr: "fpr", specificity: "fpr", tpr: "tpr", recall: "tpr", sensitivity: "tpr", alerts: "alarms", threshold: "threshold" } as Record<string, Mode>)[measure] ?? null;
}

const LAYERS = ["interval", "segment", "contours", "hull", "cost"];
const NOTED = ["typed", "cost", "share", "address"]; // the controls beside which something may be said
const CHOSEN = " (chosen on these cases)";
const KEYS = ["m", "t", "c", "p", "w", "off", "l"]; // what the address of the page can set

// --- numbers

/** Wilson's interval, as the report computes it. */
export function wilson(hits: number, n: number, z: number): [number | null, number | null] {
  if (n === 0) return [null, null];
  const share = hits / n;
  const reach = z * Math.sqrt((share * ((n - hits) / n)) / n + (z / (2 * n)) ** 2);
  const scale = 1 + z ** 2 / n, middle = share + z ** 2 / (2 * n);
  return [hits === 0 ? 0 : Math.min((middle - reach) / scale, share), hits === n ? 1 : Math.max((middle + reach) / scale, share)];
}

/** A quotient, null where it is not defined. */
function ratio(over: number, under: number): number | null {
  return under === 0 ? null : over / under;
}

/** Every rate at a row of a curve; those that depend on the prevalence have no interval at another one. */
export function ratesAt(curve: Curve, row: number, z: number, prevalence: number | null): Record<string, Rate> {
  const { p, q } = curve, tp = curve.tp[row]!, fp = curve.fp[row]!, fn = p - tp, tn = q - fp, n = p + q, flagged = tp + fp;
  const tpr = tp / p, fpr = fp / q;
  const shares: Record<string, Point> = {
    tpr: [tp, p], fpr: [fp, q], specificity: [tn, q], precision: [tp, flagged], npv: [tn, n - flagged], accuracy: [tp + tn, n],
    predicted_positive_rate: [flagged, n],
  };
  const found: Record<string, Rate> = {};
  for (const [name, [hits, cases]] of Object.entries(shares)) {
    const own = curve.limits;
    const [lower, upper] = own ? [own[`${name}_lower`]![row] ?? null, own[`${name}_upper`]![row] ?? null] : wilson(hits, cases, z);
    found[name] = { value: ratio(hits, cases), lower, upper };
  }
  const precision = ratio(tp, flagged);
  found.balanced_accuracy = only((tpr + tn / q) / 2);
  found.f1 = only(ratio(2 * tp, p + flagged));
  found.mcc = only(ratio(tp * tn - fp * fn, Math.sqrt(p * q * flagged * (n - flagged))));
  found.youden_j = only(tpr - fpr);
  found.lift = only(precision === null ? null : precision * (n / p));
  if (prevalence !== null) {
    const at = prevalence, alarm = at * tpr + (1 - at) * fpr;
    found.precision = only(ratio(at * tpr, alarm));
    found.npv = only(ratio((1 - at) * (1 - fpr), 1 - alarm));
    found.accuracy = only(at * tpr + (1 - at) * (1 - fpr));
    found.predicted_positive_rate = only(alarm);
    found.f1 = only(ratio(2 * at * tpr, at + alarm));
    found.mcc = only(ratio((tpr - fpr) * Math.sqrt(at * (1 - at)), Math.sqrt(alarm * (1 - alarm))));
    found.lift = only(ratio(tpr, alarm));
  }
  return found;
}

function only(value: number | null): Rate {
  return { value, lower: null, upper: null };
}

/** The cost of a case where a false alarm costs 1 and a miss costs `miss`. */
export function costAt(curve: Curve, row: number, miss: number, prevalence: number): number {
  const missed = (curve.p - curve.tp[row]!) / curve.p, alarmed = curve.fp[row]! / curve.q;
  return prevalence * miss * missed + (1 - prevalence) * alarmed;
}

/** The cheapest row: the corners of the hull are all here, so no other threshold of the cases is cheaper. */
export function cheapest(curve: Curve, miss: number, prevalence: number): number {
  let best = 0;
  for (const row of curve.hull) if (costAt(curve, row, miss, prevalence) < costAt(curve, best, miss, prevalence)) best = row;
  return best;
}

/** A rate in three digits, or as many more as keep it apart from 0 and 1. */
function shown(value: number | null): string {
  if (value === null) return NOTHING;
  for (let digits = 3; digits < 9; digits++) {
    const text = value.toFixed(digits);
    if ([-1, 0, 1].includes(value) || ![-1, 0, 1].includes(Number(text))) return text;
  }
  return value.toPrecision(3);
}

/** A rate with its interval, which is not broken within its brackets. */
function interval(rate: Rate): string {
  return rate.lower === null || rate.upper === null ? shown(rate.value) : `${shown(rate.value)} [${shown(rate.lower)},\u00a0${shown(rate.upper)}]`;
}

function whole(count: number): string {
  return count.toLocaleString("en-US");
}

/** A number in three digits, as plainly as it can be written. */
function short(value: number): string {
  return Math.abs(value) >= 1000 ? whole(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** A cost or a net benefit of one case, in four digits as the tables and the sentences have it. */
function perCase(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** A threshold as a number: that of the first row, which flags nothing, lies beyond all scores. */
function numeric(curve: Curve, row: number): number {
  const threshold = curve.thresholds[row]!;
  if (threshold === null) return curve.low ? -Infinity : Infinity;
  return threshold === "inf" ? Infinity : threshold === "-inf" ? -Infinity : Number(threshold);
}

/** A threshold in words: the one given, or that of the row. */
function thresholdText(curve: Curve, row: number, given: number | null = null): string {
  const value = given ?? numeric(curve, row);
  return row === 0 && given === null ? "none (no alarm)" : Number.isFinite(value) ? String(Number(value.toPrecision(9))) : String(curve.thresholds[row]);
}

/** Whether the page has the exact counts at a threshold: if it has all of them, this is an operating point, or no score lies between. */
function isExact(curve: Curve, threshold: number): boolean {
  if (curve.tp.length > curve.all || curve.points.some((point) => point.threshold !== null && Number(point.threshold) === threshold)) return true;
  const row = rowAtThreshold(curve, threshold), next = row + 1;
  if (row === 0 || next === curve.tp.length || numeric(curve, row) === threshold) return true;
  return curve.tp[next]! + curve.fp[next]! - curve.tp[row]! - curve.fp[row]! === 1;
}

/** A number as people type it, null if it is none. */
function typedNumber(text: string): number | null {
  const plain = text.trim().replace(/^([+-]?)inf(inity)?$/i, "$1Infinity"), value = Number(plain);
  return plain === "" || Number.isNaN(value) ? null : value;
}

/** What is said of a text that is no number. */
function noNumber(text: string): string {
  const point = text.trim().replace(",", ".");
  const hint = text.includes(",") && typedNumber(point) !== null ? ` Write ${point}, with a point.` : "";
  return `“${text.trim()}” is not a number.${hint}`;
}

/** The last row for which something holds that holds up to some row; 0 if it never does. */
function lastRow(curve: Curve, holds: (row: number) => boolean): number {
  let low = 0, high = curve.tp.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The row that flags the cases of a threshold, as far as the page has it. */
export function rowAtThreshold(curve: Curve, threshold: number): number {
  return lastRow(curve, (row) => row === 0 || (curve.low ? numeric(curve, row) <= threshold : numeric(curve, row) >= threshold));
}

/** The row nearest to where a share, which never falls along the curve, has a value. */
function nearestRow(curve: Curve, share: (row: number) => number, wanted: number): number {
  const before = lastRow(curve, (row) => share(row) <= wanted), after = Math.min(before + 1, curve.tp.length - 1);
  return wanted - share(before) <= share(after) - wanted ? before : after;
}

const SHARES: Record<Exclude<Mode, "threshold">, (curve: Curve, row: number) => number> = {
  alarms: (curve, row) => (curve.tp[row]! + curve.fp[row]!) / (curve.p + curve.q),
  fpr: (curve, row) => curve.fp[row]! / curve.q,
  tpr: (curve, row) => curve.tp[row]! / curve.p,
};

/** The row of another model that is to be compared with a row of the chosen one. */
export function matched(from: Curve, row: number, to: Curve, mode: Mode, given: number | null): number {
  if (from === to) return row;
  if (mode === "threshold") return row === 0 && given === null ? 0 : rowAtThreshold(to, given ?? numeric(from, row));
  return nearestRow(to, (at) => SHARES[mode](to, at), SHARES[mode](from, row));
}

// --- elements

type Attributes = Record<string, string | number | boolean>;

function put<T extends Element>(made: T, attributes: Attributes, children: (Node | string)[]): T {
  for (const [name, value] of Object.entries(attributes)) if (value !== false) made.setAttribute(name, value === true ? "" : String(value));
  made.append(...children);
  return made;
}

function html<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  return put(document.createElement(name), attributes, children);
}

function svg(name: string, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElement {
  return put(document.createElementNS(SVG, name) as SVGElement, attributes, children);
}

function byId(id: string): HTMLElement | null {
  return document.getElementById(id);
}

function colour(model: number): string {
  return `m${model % 7} dash${Math.floor(model / 7) % 3}`;
}

// --- charts

interface Plane { x: (value: number) => number; y: (value: number) => number; frame: SVGElement; fromX: (place: number) => number; fromY: (place: number) => number }

/** The ranges of a chart, with its axes. */
function planeOf(across: Point, up: Point, names: [string, string]): Plane {
  const x = scaleLinear().domain(across).range([LEFT, WIDTH - RIGHT]), y = scaleLinear().domain(up).range([HEIGHT - BOTTOM, TOP]);
  const frame = svg("g");
  for (const tick of x.ticks(5)) {
    frame.append(svg("line", { class: "grid", x1: x(tick), x2: x(tick), y1: TOP, y2: HEIGHT - BOTTOM }));
    frame.append(svg("text", { x: x(tick), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, x.tickFormat(5)(tick)));
  }
  for (const tick of y.ticks(5)) {
    frame.append(svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }));
    frame.append(svg("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, y.tickFormat(5)(tick)));
  }
  const middle = TOP + (HEIGHT - TOP - BOTTOM) / 2;
  frame.append(svg("text", { class: "axis", x: LEFT + (WIDTH - LEFT - RIGHT) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, names[0]));
  frame.append(svg("text", { class: "axis", x: 11, y: middle, "text-anchor": "middle", transform: `rotate(-90 11 ${middle})` }, names[1]));
  return { x, y, frame, fromX: (place) => x.invert(place), fromY: (place) => y.invert(place) };
}

function path(plane: Plane, points: Point[], className: string): SVGElement {
  const drawn = line<Point>().x((point) => plane.x(point[0])).y((point) => plane.y(point[1])).digits(1);
  return svg("path", { class: `line ${className}`, d: drawn(points) ?? "" });
}

function dot(plane: Plane, [x, y]: Point, className: string, radius = 6): SVGElement {
  return svg("circle", { class: `dot ${className}`, cx: plane.x(x), cy: plane.y(y), r: radius });
}

/** Every k-th of the points, so that lines have no more vertices than can be seen. */
function thin(points: Point[], most = 500): Point[] {
  const step = (points.length - 1) / (most - 1);
  return points.length <= most ? points : Array.from({ length: most }, (_, at) => points[Math.round(at * step)]!);
}

function rocPoint(curve: Curve, row: number): Point {
  return [curve.fp[row]! / curve.q, curve.tp[row]! / curve.p];
}

function prPoint(curve: Curve, row: number, prevalence: number | null): Point | null {
  const precision = ratesAt(curve, row, 1, prevalence).precision!.value;
  return precision === null ? null : [curve.tp[row]! / curve.p, precision];
}

function rowsOf(curve: Curve): number[] {
  return curve.tp.map((_, row) => row);
}

// --- the page

class Explorer {
  private readonly contours: Element[];
  private readonly state: State;
  private readonly out: Record<string, HTMLElement> = {};
  private readonly inputs: Record<string, HTMLInputElement | HTMLSelectElement> = {};
  /** What is to be said beside a control, by its id, after what was typed or stood in the address. */
  private notes: Record<string, string> = {};
  private drag = false;

  constructor(private readonly page: Page, private readonly root: HTMLElement) {
    this.contours = [...document.querySelectorAll("#chart-roc .contour")];
    this.state = this.initial();
    this.read();
    this.build();
    this.listen();
    this.update();
  }

  private get curve(): Curve { return this.page.models[this.state.model]!; }

  /** What a false alarm costs in the run, so that costs of the page are in its unit. */
  private get unit(): number { return this.page.cost?.[0] ?? 1; }

  private costAt(curve: Curve, row: number): number { return this.unit * costAt(curve, row, this.state.cost, this.share); }

  private get share(): number { return this.prevalence ?? this.curve.p / (this.curve.p + this.curve.q); }

  /** The prevalence for which numbers are restated, null for that of the cases. */
  private get prevalence(): number | null { return this.state.prevalence; }

  /** The prevalence for which numbers are restated, in words. */
  private get inHundred(): string { return `${short(100 * this.share)} positive${this.share === 0.01 ? "" : "s"} among 100 cases`; }

  /** Whether a threshold is that of an operating point which was chosen on these cases. */
  private isChosen(curve: Curve, row: number): boolean {
    return curve.points.some((point) => point.chosen && point.row === row && (this.state.given === null || Number(point.threshold) === this.state.given));
  }

  private initial(): State {
    const baseline = this.page.models.findIndex((curve) => curve.model === this.page.baseline);
    const model = this.page.models.length > 1 && baseline === 0 ? 1 : 0, curve = this.page.models[model]!;
    const [alarm, miss, prevalence] = this.page.cost ?? [1, 1];
    const state: State = {
      model, row: 0, given: null, cost: miss! / alarm!, prevalence: this.page.prevalence ?? prevalence ?? null, mode: "threshold",
      off: new Set(), layers: new Set(["interval", ...(this.page.command === "tango" ? ["segment"] : []), ...(this.contours.length ? ["contours"] : [])]),
    };
    const [point] = curve.points;
    state.row = point?.row ?? cheapest(curve, 1, 0.5);
    state.given = point && point.threshold !== null ? Number(point.threshold) : null;
    return state;
  }

  /** Take a threshold that was given; where the page lacks its counts, say which one is shown. */
  private take(threshold: number): void {
    const { curve, state } = this, has = isExact(curve, threshold);
    state.row = rowAtThreshold(curve, threshold);
    state.given = Number.isFinite(threshold) && has ? threshold : null;
    if (!has) this.notes.typed = `This page has ${whole(curve.tp.length - 1)} of ${whole(curve.all)} thresholds, and not ${threshold}: shown is the nearest that raises no more alarms, ${thresholdText(curve, state.row)}.`;
  }

  // the URL

  private read(): void {
    const given = new URLSearchParams(location.hash.slice(1)), { state, page } = this, wrong: string[] = [];
    const number = (key: string, fits: (value: number) => boolean, take: (value: number) => void, wanted: string) => {
      const text = given.get(key), value = typedNumber(text ?? "");
      if (text === null) return;
      if (value !== null && fits(value)) take(value);
      else wrong.push(`${key}=${text} (${wanted})`);
    };
    const known = (key: string, fits: (name: string) => boolean, wanted: string) => {
      const names = (given.get(key) ?? "").split(".").filter(Boolean), not = names.filter((name) => !fits(name));
      if (not.length) wrong.push(`${key}=${not.join(".")} (${wanted})`);
      return new Set(names.filter(fits));
    };
    const last = page.models.length - 1, models = last ? `models are 0 to ${last}` : "the model is 0";
    number("m", (value) => value in page.models, (value) => { state.model = value; }, models);
    number("c", (value) => value > 0 && Number.isFinite(value), (value) => { state.cost = value; }, "a cost is over 0");
    number("p", (value) => value > 0 && value < 1, (value) => { state.prevalence = value; }, "a prevalence is between 0 and 1");
    if (given.has("w")) for (const mode of known("w", (name) => Object.hasOwn(MODES, name), Object.keys(MODES).join(", "))) state.mode = mode as Mode;
    if (given.has("off")) state.off = new Set([...known("off", (name) => page.models[Number(name)] !== undefined, models)].map(Number));
    if (given.has("l")) state.layers = known("l", (name) => LAYERS.includes(name), LAYERS.join(", "));
    if (given.get("t") === "none") [state.row, state.given] = [0, null];
    else if (typedNumber(given.get("t") ?? "") !== null) this.take(typedNumber(given.get("t")!)!);
    else if (given.has("m")) [state.row, state.given] = [Math.min(state.row, this.curve.tp.length - 1), null];
    if (given.get("t") !== "none") number("t", () => true, () => undefined, "a threshold is a number");
    for (const key of given.keys()) if (location.hash.includes("=") && !KEYS.includes(key)) wrong.push(`${key} (settings are ${KEYS.join(", ")})`);
    if (wrong.length) this.notes.address = `Not taken from the address of this page: ${wrong.join("; ")}.`;
    state.off.delete(state.model);
  }

  private write(): void {
    const { state } = this, threshold = state.given ?? this.curve.thresholds[state.row]!;
    const parts: [string, string][] = [["m", String(state.model)], ["t", threshold === null ? "none" : String(threshold).replace("inf", "Infinity")], ["c", String(state.cost)]];
    if (state.prevalence !== null) parts.push(["p", String(state.prevalence)]);
    if (this.page.models.length > 1) parts.push(["w", state.mode]);
    if (state.off.size) parts.push(["off", [...state.off].join(".")]);
    parts.push(["l", [...state.layers].join(".")]);
    try {
      history.replaceState(null, "", `#${new URLSearchParams(parts).toString()}`);
    } catch {
      // a sandboxed frame has no history; the state is then not in its address
    }
  }

  // controls

  private build(): void {
    const { models } = this.page, curve = this.curve, controls = html("fieldset", { class: "controls" }, html("legend", {}, "Move the threshold"));
    const row = (label: string, id: string, ...content: (Node | string)[]) => controls.append(html("div", { class: "control" }, html("label", { for: id }, label), ...content, ...this.note(id)));
    if (models.length > 1) {
      row("Model", "of-model", this.select("of-model", models.map((each, at) => [String(at), each.model])));
      row("The others at", "mode", this.select("mode", Object.entries(MODES)));
    }
    const ends = html("div", { class: "ends", "aria-hidden": "true" }, html("span", {}, "\u2190 fewer called positive"), html("span", {}, "more called positive \u2192"));
    row("Threshold", "slider", this.input("slider", { type: "range", min: 0, max: curve.tp.length - 1, step: 1 }), ends);
    row("… or type one", "typed", this.input("typed", { type: "text", inputmode: "decimal", autocomplete: "off", size: 12 }), " ", this.select("jump", [["", "or go to …"]], "Go to an operating point"));
    row("A miss costs as much as", "cost", this.input("cost", { type: "text", inputmode: "decimal", autocomplete: "off", size: 7 }), " false alarms ", this.button("half", "÷ 2", "Half the cost of a miss"), this.button("double", "× 2", "Twice the cost of a miss"));
    row("Positives among 100 cases", "share", this.input("share", { type: "text", inputmode: "decimal", autocomplete: "off", size: 7 }), " ", this.button("own", "as in these cases", "The prevalence of these cases"));
    const layers = html("div", { class: "control" });
    const offered: [string, string, string, boolean][] = [
      ["interval", "intervals at the threshold", "cross", true], ["segment", "confident segment", "bold", models.some((each) => each.segment)],
      ["contours", "contours of chi-square", "contour", this.contours.length > 0], ["hull", "convex hull", "hull", true], ["cost", "line of equal cost", "limit", true],
    ];
    for (const [name, text, drawn, there] of offered) if (there) layers.append(this.check(`layer-${name}`, text, drawn), " ");
    if (models.length > 1) for (const [at, each] of models.entries()) layers.append(this.check(`on-${at}`, each.model, colour(at)), " ");
    controls.append(html("div", { role: "group", "aria-label": "What the charts show" }, layers));
    this.out.said = html("p", { class: "said", "aria-live": "polite", id: "said" });
    this.out.matrix = html("div", { id: "matrix" });
    this.out.rates = html("div", { id: "rates" });
    this.root.append(controls, ...this.note("address"), this.out.said);
    byId("moves")?.removeAttribute("hidden");
    byId("readout")?.append(this.out.matrix, this.out.rates);
    const chart = svg("svg", { class: "chart", id: "chart-cost", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-labelledby": "title-cost" });
    for (const each of document.querySelectorAll(".with-now")) each.append("; the unbroken line: the threshold set above");
    const caption = html("figcaption", {}, html("strong", { id: "title-cost" }, "Cost"), " Lower is better; the ring is the cheapest threshold, dotted lines are an alarm for all and for none. Its numbers are in the table of rates.", (this.out.cut = html("span", { id: "cut" })));
    byId("figure-pr")?.after(html("figure", { id: "figure-cost" }, caption, chart));
    for (const name of ["roc", "pr", "cost"]) byId(`chart-${name}`)?.classList.add("moves");
  }

  /** A place where something can be said beside a control into which one types. */
  private note(id: string): HTMLElement[] {
    return NOTED.includes(id) ? [(this.out[`note-${id}`] = html("p", { id: `note-${id}`, class: "note", role: "status" }))] : [];
  }

  private input(id: string, attributes: Attributes): HTMLInputElement {
    return (this.inputs[id] = html("input", { id, ...(NOTED.includes(id) && { "aria-describedby": `note-${id}` }), ...attributes })) as HTMLInputElement;
  }

  private select(id: string, options: [string, string][], label = ""): HTMLSelectElement {
    const made = html("select", { id, ...(label && { "aria-label": label }) }, ...options.map(([value, text]) => html("option", { value }, text)));
    return (this.inputs[id] = made) as HTMLSelectElement;
  }

  private button(id: string, text: string, label: string): HTMLButtonElement {
    const made = html("button", { type: "button", id, "aria-label": `${text} (${label})` }, text);
    made.addEventListener("click", () => this.press(id));
    return made;
  }

  private check(id: string, text: string, swatch = ""): HTMLLabelElement {
    const drawn = swatch ? [svg("svg", { class: "swatch", viewBox: "0 0 24 10", "aria-hidden": true }, svg("line", { class: `line ${swatch}`, x1: 0, x2: 24, y1: 5, y2: 5 }))] : [];
    return html("label", { class: "check" }, this.input(id, { type: "checkbox" }), " ", ...drawn, " ", text);
  }

  private press(id: string): void {
    if (id === "own") this.state.prevalence = null;
    else this.state.cost *= id === "double" ? STEP : 1 / STEP;
    this.update();
  }

  private listen(): void {
    const { state, inputs } = this;
    const on = (id: string, event: string, act: (value: string) => void) => inputs[id]?.addEventListener(event, () => { act(inputs[id]!.value); this.update(); });
    on("slider", "input", (value) => { [state.row, state.given] = [Number(value), null]; });
    on("of-model", "change", (value) => {
      const from = this.curve;
      state.model = Number(value);
      state.row = matched(from, state.row, this.curve, state.mode, state.given);
      if (state.given !== null && (state.mode !== "threshold" || !isExact(this.curve, state.given))) state.given = null;
      state.off.delete(state.model);
    });
    on("mode", "change", (value) => { state.mode = value as Mode; });
    const typed = (id: string, fits: (value: number) => boolean, take: (value: number) => void, wanted: string) => on(id, "change", (text) => {
      const value = typedNumber(text);
      if (value !== null && fits(value)) take(value);
      else if (text.trim()) this.notes[id] = `${value === null ? noNumber(text) : `${value} does not go.`} ${wanted}`;
    });
    typed("typed", () => true, (value) => { this.take(value); }, "The threshold stays as it was.");
    on("jump", "change", (value) => {
      if (value === "") return;
      const point = this.curve.points[Number(value)];
      if (point && point.threshold !== null) this.take(Number(point.threshold));
      else [state.row, state.given] = [point?.row ?? cheapest(this.curve, state.cost, this.share), null];
      if (this.compared.length === 1) return;
      state.mode = modeOf(point?.rule ?? "") ?? state.mode;
      this.notes.typed = [this.notes.typed, `The other models are at ${this.rule ? `their own ${this.rule}` : MODES[state.mode]}; “The others at” sets this.`].filter(Boolean).join(" ");
    });
    typed("cost", (value) => value > 0 && Number.isFinite(value), (value) => { state.cost = value; }, "The cost of a miss is a number over 0; it stays as it was.");
    typed("share", (value) => value > 0 && value < 100, (value) => { state.prevalence = value / 100; }, "Among 100 cases there are more than 0 and fewer than 100 positives; it stays as it was.");
    for (const [id, input] of Object.entries(inputs)) {
      const [kind, name] = [id.split("-")[0], id.slice(id.indexOf("-") + 1)];
      if (kind !== "layer" && kind !== "on") continue;
      input.addEventListener("change", () => {
        const checked = (input as HTMLInputElement).checked;
        if (kind === "layer") state.layers[checked ? "add" : "delete"](name);
        else state.off[checked ? "delete" : "add"](Number(name));
        state.off.delete(state.model);
        this.update();
      });
    }
    window.addEventListener("hashchange", () => { if (location.hash.includes("=")) { this.read(); this.update(); } });
    window.addEventListener("beforeprint", () => { for (const each of document.querySelectorAll("details")) each.open = true; });
    for (const name of ["roc", "pr", "cost"]) this.movable(name);
  }

  /** Let a pointer move the threshold along a chart. */
  private movable(name: string): void {
    const chart = byId(`chart-${name}`) as unknown as SVGSVGElement | null;
    if (!chart) return;
    const move = (event: PointerEvent) => {
      const box = chart.getBoundingClientRect();
      const at: Point = [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
      const place = this.places[name];
      if (!place) return;
      let best = this.state.row, least = Infinity;
      for (const row of rowsOf(this.curve)) {
        const point = place(row), distance = point ? Math.hypot(point[0] - at[0], point[1] - at[1]) : Infinity;
        if (distance < least) [best, least] = [row, distance];
      }
      [this.state.row, this.state.given] = [best, null];
      this.update();
    };
    chart.addEventListener("pointerdown", (event) => { this.drag = true; chart.setPointerCapture(event.pointerId); move(event); });
    chart.addEventListener("pointermove", (event) => { if (this.drag) move(event); });
    for (const end of ["pointerup", "pointercancel"]) chart.addEventListener(end, () => { this.drag = false; });
  }

  /** Where each row of the chosen model is drawn, by chart. */
  private readonly places: Record<string, (row: number) => Point | null> = {};

  // what follows from the state

  /** The models that are switched on, the chosen one first, each with its row. */
  private get compared(): { at: number; curve: Curve; row: number }[] {
    const { state, page } = this;
    const others = page.models.map((_, at) => at).filter((at) => at !== state.model && !state.off.has(at));
    return [state.model, ...others].map((at) => {
      const curve = page.models[at]!, own = curve.points.find((point) => point.rule === this.rule);
      return { at, curve, row: at !== state.model && own ? own.row : matched(this.curve, state.row, curve, state.mode, state.given) };
    });
  }

  /** The rule of the operating point at which the chosen model is, if it sets the share at which models are compared. */
  private get rule(): string | null {
    const { curve, state } = this, here = curve.points.find((point) => point.row === state.row && modeOf(point.rule) === state.mode);
    return here && state.mode !== "threshold" ? here.rule : null;
  }

  /** The threshold of a compared model in words. */
  private told(curve: Curve, row: number): string {
    const { given, mode } = this.state;
    if (curve === this.curve) return thresholdText(curve, row, given);
    const same = given ?? numeric(this.curve, this.state.row), is = mode === "threshold" && Number.isFinite(same) && isExact(curve, same);
    return thresholdText(curve, row, is ? same : null);
  }

  private update(): void {
    for (const id of NOTED) this.out[`note-${id}`]!.textContent = this.notes[id] ?? "";
    this.notes = {};
    this.showControls();
    this.say();
    this.showMatrix();
    this.showRates();
    this.drawRoc();
    this.drawPr();
    this.drawScores();
    this.drawSensibility();
    this.drawCost();
    this.write();
  }

  private showControls(): void {
    const { state, inputs, curve } = this, slider = inputs.slider as HTMLInputElement;
    slider.max = String(curve.tp.length - 1);
    slider.value = String(state.row);
    const flagged = (curve.tp[state.row]! + curve.fp[state.row]!) / (curve.p + curve.q);
    slider.setAttribute("aria-valuetext", `threshold ${this.told(curve, state.row)}, ${short(1000 * flagged)} alarms in 1,000 cases`);
    for (const [id, value] of [["of-model", state.model], ["mode", state.mode], ["cost", state.cost], ["share", Number((100 * this.share).toPrecision(6))]] as const) {
      const input = inputs[id];
      if (input) input.value = String(value);
    }
    inputs.typed!.value = state.given !== null ? String(state.given) : state.row === 0 ? "" : String(curve.thresholds[state.row]);
    const jumps: [string, string][] = curve.points.map((point, at) => [String(at), `${point.rule}: threshold ${point.threshold ?? "none"}${point.chosen ? CHOSEN : ""}`]);
    jumps.push([String(jumps.length), `the cheapest at these costs${CHOSEN}`]);
    inputs.jump!.replaceChildren(html("option", { value: "" }, "or go to …"), ...jumps.map(([value, text]) => html("option", { value }, text)));
    for (const [id, input] of Object.entries(inputs)) {
      if (id.startsWith("layer-")) (input as HTMLInputElement).checked = state.layers.has(id.slice(6));
      if (id.startsWith("on-")) {
        (input as HTMLInputElement).checked = !state.off.has(Number(id.slice(3)));
        (input as HTMLInputElement).disabled = Number(id.slice(3)) === state.model;
      }
    }
  }

  /** Say in a sentence what the threshold does to 1,000 cases. */
  private say(): void {
    const { curve, state, share } = this, row = state.row;
    const found = 1000 * share * (curve.tp[row]! / curve.p), missed = 1000 * share - found, false_ = 1000 * (1 - share) * (curve.fp[row]! / curve.q);
    const best = cheapest(curve, state.cost, share), cost = this.costAt(curve, row), least = this.costAt(curve, best);
    const dear = cost > least * (1 + 1e-9) ? `; cheapest is threshold ${thresholdText(curve, best)}, at ${perCase(least)}${CHOSEN}` : `, and no other threshold is cheaper${CHOSEN}`;
    const restated = state.prevalence !== null, here = this.isChosen(curve, row) ? CHOSEN : "";
    const told = [
      `${restated ? `Restated for ${this.inHundred}: ` : ""}${curve.model} at threshold ${this.told(curve, row)}${here}: of 1,000 cases ${short(found + false_)} raise an alarm, ${short(found)} of them rightly and ${short(false_)} falsely; ${short(missed)} positives are missed.`,
      `With a cost of ${short(this.unit)} for a false alarm and ${short(this.unit * state.cost)} for a miss, a case costs ${perCase(cost)}${dear}.`,
    ];
    const base = this.page.models.findIndex((each) => each.model === this.page.baseline);
    for (const other of this.compared.slice(1)) {
      const [model, by] = other.at === base || base === -1 || state.model !== base ? [{ at: state.model, curve, row }, other] : [other, { at: state.model, curve, row }];
      const gained = model.curve.tp[model.row]! - by.curve.tp[by.row]!, raised = model.curve.fp[model.row]! - by.curve.fp[by.row]!;
      if (curve.p !== other.curve.p || curve.q !== other.curve.q) continue;
      const at = (each: { curve: Curve; row: number }) => `${each.curve.model} at threshold ${this.told(each.curve, each.row)}`;
      const same = state.mode === "threshold" && this.told(curve, row) === this.told(other.curve, other.row);
      const near = `this page has no counts of ${other.curve.model} at ${this.told(curve, row)}: its next threshold with no more alarms is ${this.told(other.curve, other.row)}`;
      const how = same ? MODES.threshold : state.mode === "threshold" && row > 0 ? near : `${this.rule ? `each at its own ${this.rule}` : MODES[state.mode]}: ${at(model)}, ${at(by)}`;
      told.push(`${model.curve.model} against ${by.curve.model} (${how}): ${change(gained, "positive found", "positives found")}, ${change(raised, "false alarm", "false alarms")} among the ${whole(curve.p + curve.q)} cases of the data${restated ? ", not restated" : ""}.`);
    }
    this.out.said!.textContent = told.join(" ");
  }

  private showMatrix(): void {
    const { curve, state, share } = this, restated = state.prevalence !== null, row = state.row, tp = curve.tp[row]!, fp = curve.fp[row]!;
    const cell = (name: string, count: number, of: number, weight: number) =>
      html("td", { id: name, "data-value": count }, html("strong", {}, whole(count)), html("br"), html("span", { class: "quiet" }, `${short((1000 * weight * count) / of)} in 1,000${restated ? ", restated" : ""}`));
    const rows = [
      html("tr", {}, html("th", { scope: "row" }, "positive"), cell("tp", tp, curve.p, share), cell("fn", curve.p - tp, curve.p, share)),
      html("tr", {}, html("th", { scope: "row" }, "negative"), cell("fp", fp, curve.q, 1 - share), cell("tn", curve.q - fp, curve.q, 1 - share)),
    ];
    const heads = ["the case is", "alarm", "no alarm"].map((text) => html("th", { scope: "col" }, text));
    const table = html("table", { class: "matrix" }, html("caption", {}, `${curve.model}: cases of the data${restated ? ` and, below them, restated for ${this.inHundred}` : ", and among 1,000"}`), html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...rows));
    this.out.matrix!.replaceChildren(table);
  }

  private showRates(): void {
    const { page, share, state } = this, compared = this.compared;
    const columns = compared.map(({ curve, row }) => ({ curve, row, rates: ratesAt(curve, row, page.z, this.prevalence) }));
    const line = (name: string, meaning: string, cell: (column: (typeof columns)[number]) => [string, number | null]) =>
      html("tr", {}, html("th", { scope: "row" }, ...name.split("_").flatMap((word, at) => (at ? ["_", html("wbr"), word] : [word])), " ", html("span", { class: "meaning" }, meaning)), ...columns.map((column, at) => {
        const [text, value] = cell(column);
        return html("td", { class: "number", ...(at === 0 && { id: `rate-${name.replaceAll(" ", "-")}`, "data-value": String(value) }) }, text);
      }));
    const rows = [line("threshold", "alarm from this score on", ({ curve, row }) => [this.told(curve, row), row === 0 ? null : numeric(curve, row)])];
    for (const [name, meaning] of Object.entries(MEANINGS)) {
      const cell = line(name, meaning, ({ rates }) => [interval(rates[name]!), rates[name]!.value]);
      const own = columns[0]!.rates[name]!, first = cell.children[1]!;
      first.setAttribute("data-lower", String(own.lower));
      first.setAttribute("data-upper", String(own.upper));
      rows.push(cell);
    }
    const benefit = (curve: Curve, row: number) => share * (curve.tp[row]! / curve.p) - ((1 - share) * (curve.fp[row]! / curve.q)) / state.cost;
    rows.push(line("cost", "per case", ({ curve, row }) => { const cost = this.costAt(curve, row); return [perCase(cost), cost]; }));
    rows.push(line("cheapest", "threshold of least cost, chosen on these cases, and that cost per case", ({ curve }) => {
      const best = cheapest(curve, state.cost, share);
      return [`${thresholdText(curve, best)} (${perCase(this.costAt(curve, best))})`, best === 0 ? null : numeric(curve, best)];
    }));
    rows.push(line("net benefit", `per case, in positives found; an alarm for all: ${perCase(share - (1 - share) / state.cost)}, for none: 0`, ({ curve, row }) => [perCase(benefit(curve, row)), benefit(curve, row)]));
    const heads = ["at this threshold", ...columns.map(({ curve }) => curve.model)].map((text, at) => html("th", { scope: "col", ...(at && { class: "number" }) }, text));
    const table = html("table", {}, html("caption", { class: "quiet" }, `Rates with intervals at ${Number((100 * page.level).toPrecision(10))}%${state.prevalence === null ? "" : `; tpr, fpr, specificity, balanced_accuracy and youden_j do not depend on the prevalence, all others are restated for ${this.inHundred}`}`), html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...rows));
    const box = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Rates at this threshold" }, table);
    this.out.rates!.replaceChildren(box);
    widths.observe(box);
  }

  private drawRoc(): void {
    const plane = planeOf([0, 1], [0, 1], ["false alarms: share of the negatives", "found: share of the positives"]), { layers } = this.state;
    const drawn: Element[] = [plane.frame, path(plane, [[0, 0], [1, 1]], "chance")];
    if (layers.has("contours")) drawn.push(...this.contours);
    for (const { at, curve } of this.compared) {
      const points = rowsOf(curve).map((row) => rocPoint(curve, row));
      if (layers.has("segment") && curve === this.curve && curve.segment) drawn.push(path(plane, points.slice(curve.segment[0], curve.segment[1] + 1), `bold ${colour(at)}`));
      if (layers.has("hull") && curve === this.curve) drawn.push(path(plane, curve.hull.map((row) => rocPoint(curve, row)), "hull"));
      drawn.push(path(plane, thin(points), colour(at)));
    }
    if (layers.has("cost")) drawn.push(this.equalCost(plane));
    for (const { at, curve, row } of this.compared) {
      const point = rocPoint(curve, row);
      if (layers.has("interval") && curve === this.curve) drawn.push(...this.cross(plane, curve, row, point, at));
      drawn.push(dot(plane, point, colour(at)));
    }
    for (const about of document.querySelectorAll<HTMLElement>("[class^=about-]")) about.hidden = !layers.has(about.className.slice(6));
    this.replace("roc", drawn);
    this.places.roc = (row) => { const [x, y] = rocPoint(this.curve, row); return [plane.x(x), plane.y(y)]; };
  }

  /** The line of all points that cost as much as this one. */
  private equalCost(plane: Plane): SVGElement {
    const [x, y] = rocPoint(this.curve, this.state.row), slope = (1 - this.share) / (this.share * this.state.cost);
    const ends = [0, 1].map((at) => Math.min(Math.max(y + slope * (at - x), 0), 1));
    const back = (up: number) => Math.min(Math.max(x + (up - y) / slope, 0), 1);
    return path(plane, ends.map((up) => [back(up), up] as Point), "limit");
  }

  private cross(plane: Plane, curve: Curve, row: number, [x, y]: Point, at: number): SVGElement[] {
    const { tpr, fpr } = ratesAt(curve, row, this.page.z, null);
    return [path(plane, [[fpr!.lower ?? x, y], [fpr!.upper ?? x, y]], `cross ${colour(at)}`), path(plane, [[x, tpr!.lower ?? y], [x, tpr!.upper ?? y]], `cross ${colour(at)}`)];
  }

  private drawPr(): void {
    const plane = planeOf([0, 1], [0, 1], ["found: share of the positives", "precision: share of the alarms"]);
    const drawn: Element[] = [plane.frame, path(plane, [[0, this.share], [1, this.share]], "chance")];
    const place = (curve: Curve, row: number) => prPoint(curve, row, this.prevalence);
    for (const { at, curve } of this.compared) drawn.push(path(plane, thin(rowsOf(curve).map((row) => place(curve, row)).filter((point) => point !== null)), colour(at)));
    for (const { at, curve, row } of this.compared) {
      const point = place(curve, row);
      if (point) drawn.push(dot(plane, point, colour(at)));
    }
    this.replace("pr", drawn);
    this.places.pr = (row) => { const point = place(this.curve, row); return point && [plane.x(point[0]), plane.y(point[1])]; };
  }

  private drawScores(): void {
    const compared = this.compared;
    for (const [at, curve] of this.page.models.entries()) {
      const found = compared.find((each) => each.at === at), chart = byId(`figure-scores-${at}`);
      if (chart) chart.hidden = !found;
      if (!found || !curve.bins) continue;
      const { low, high, positives, negatives } = curve.bins, width = (high - low) / positives.length;
      const shares = [negatives.map((count) => count / curve.q), positives.map((count) => count / curve.p)];
      const top = 1.05 * Math.max(...shares.flat(), 1e-9), plane = planeOf([low, high], [0, top], ["score", "share of the class"]);
      const drawn: Element[] = [plane.frame];
      for (const [which, ofClass] of shares.entries()) {
        const steps = ofClass.flatMap((share, bin): Point[] => [[low + bin * width, share], [low + (bin + 1) * width, share]]);
        const filled = area<Point>().x((point) => plane.x(point[0])).y0(plane.y(0)).y1((point) => plane.y(point[1])).digits(1);
        drawn.push(svg("path", { class: `line area ${["negatives", "positives"][which]!}`, d: filled(steps) ?? "" }));
      }
      const labels: Element[] = [];
      for (const [which, { threshold, rule }] of curve.points.entries()) {
        const value = threshold === null ? NaN : Number(threshold), x = plane.x(value), side = x < WIDTH / 2 ? 1 : -1;
        if (!(value >= low && value <= high)) continue;
        drawn.push(path(plane, [[value, 0], [value, top]], "limit"));
        labels.push(svg("text", { class: "label", x: x + 4 * side, y: TOP + 12 + 14 * which, "text-anchor": side > 0 ? "start" : "end" }, rule));
      }
      const threshold = Math.min(Math.max(curve === this.curve && this.state.given !== null ? this.state.given : numeric(curve, found.row), low), high);
      drawn.push(path(plane, [[threshold, 0], [threshold, top]], `now ${colour(at)}`), ...labels);
      this.replace(`scores-${at}`, drawn);
    }
  }

  /** Mark the threshold in the charts of sensibility, which stay as they are. */
  private drawSensibility(): void {
    for (const { at, curve, row } of this.compared) {
      const chart = byId(`chart-sensibility-${at}`);
      if (!chart) continue;
      chart.querySelector(".here")?.remove();
      const [low, high] = [Number(chart.dataset.low), Number(chart.dataset.high)], value = numeric(curve, row);
      if (value >= low && value <= high) chart.append(path(planeOf([low, high], [0, 1], ["", ""]), [[value, 0], [value, 1]], "limit here"));
    }
  }

  private drawCost(): void {
    const { state, share } = this, compared = this.compared;
    const place = (curve: Curve, row: number): Point => [(curve.tp[row]! + curve.fp[row]!) / (curve.p + curve.q), this.costAt(curve, row)];
    const lines = compared.map(({ at, curve, row }) => ({ at, curve, row, points: rowsOf(curve).map((each) => place(curve, each)) }));
    const ends = [this.unit * share * state.cost, this.unit * (1 - share)], least = Math.min(...lines.flatMap(({ points }) => points.map((point) => point[1])));
    const dearest = Math.max(...lines.flatMap(({ points }) => points.map((point) => point[1]))), chosen = lines.map(({ row, points }) => 1.1 * points[row]![1]);
    const top = Math.min(1.02 * dearest, Math.max(2.5 * Math.min(...ends), 2 * least, ...chosen, 1e-9));
    const plane = planeOf([0, 1], [0, top], ["alarms: share of the cases", "cost per case"]);
    const [across, up] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
    const inside = svg("svg", { x: LEFT, y: TOP, width: across, height: up, viewBox: `${LEFT} ${TOP} ${across} ${up}` });
    const drawn: Element[] = [plane.frame, inside, ...ends.filter((end) => end <= top).map((end) => path(plane, [[0, end], [1, end]], "chance"))];
    for (const { at, points } of lines) inside.append(path(plane, thin(points), colour(at)));
    for (const { at, curve, row } of lines) {
      drawn.push(dot(plane, place(curve, cheapest(curve, state.cost, share)), `ring ${colour(at)}`, 8), dot(plane, place(curve, row), colour(at)));
    }
    this.replace("cost", drawn);
    this.out.cut!.textContent = dearest > top ? ` The chart ends at a cost of ${perCase(top)}; the dearest threshold, at ${perCase(dearest)}, lies above it.` : "";
    this.places.cost = (row) => { const [x, y] = place(this.curve, row); return [plane.x(x), plane.y(y)]; };
  }

  private replace(name: string, drawn: Element[]): void {
    byId(`chart-${name}`)?.replaceChildren(...drawn);
  }
}

/** Whether a table has columns to which one must scroll, which its caption then says. */
const widths = new ResizeObserver((found) => {
  for (const { target } of found) target.classList.toggle("more", target.scrollWidth > target.clientWidth + 1);
});

function change(count: number, one: string, several: string): string {
  const text = Math.abs(count) === 1 ? one : several;
  return count === 0 ? `as many ${several}` : `${whole(Math.abs(count))} ${count > 0 ? "more" : "fewer"} ${text}`;
}

function saveReport(): void {
  const text = byId("report")?.textContent ?? "";
  const link = html("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: "report.json" });
  link.click();
  URL.revokeObjectURL(link.href);
}

for (const box of document.querySelectorAll(".scroll")) widths.observe(box);
const save = html("button", { type: "button" }, "Save report.json");
save.addEventListener("click", saveReport);
byId("save")?.replaceChildren(" ", save);
const root = byId("controls"), data = byId("curves");
if (root && data) {
  const page = JSON.parse(data.textContent ?? "") as Page;
  if (page.models.length) new Explorer(page, root);
}
