// Plots: an operation and its derivative near a point, drawn from numbers as SVG, with a legend and a caption.

// Lengths in the units of the drawing: its width, the panels' edges, and the height of each panel.
const PLOT = { width: 600, left: 74, right: 588, top: 12, gap: 26, foot: 40, heights: [80, 190] };
// Not colours alone: each wrong group has a marker and, in the style sheet, a dash.
const MARKERS = ["M-4-4L4 4M-4 4L4-4", "M0-5L5 0L0 5L-5 0Z", "M-4-4H4V4H-4Z", "M-5 0H5M0-5V5"];
const MARKER = { value: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0Z", true: "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0Z" };
const BEYOND = { 1: "M0-5L5 4H-5Z", "-1": "M0 5L5-4H-5Z" };
const markerOf = (style) => MARKER[style] || MARKERS[style];

/** An element of SVG, as `make` does it. */
const draw = (tag, attributes, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const tenths = (number) => Math.round(number * 10) / 10;

/** What a figure has: the drawing, its legend, and in words what it shows. */
function plotted([title, caption, label, point, panels, legend]) {
  const tops = [PLOT.top, PLOT.top + PLOT.heights[0] + PLOT.gap];
  const bottom = tops[1] + PLOT.heights[1];
  const places = panels.flatMap(([, , , lines]) => lines.flatMap(([, points]) => points.map(([at]) => at)));
  const x = scale(Math.min(point, ...places), Math.max(point, ...places), 10, PLOT.right - PLOT.left - 10);
  return [
    make("p", { class: "title", "aria-hidden": "true" }, title),
    draw("svg", { viewBox: `0 0 ${PLOT.width} ${bottom + PLOT.foot}`, role: "img", "aria-label": caption },
      panels.map((panel, place) => draw("g", { transform: `translate(${PLOT.left} ${tops[place]})` }, drawPanel(panel, PLOT.heights[place], x, point))),
      draw("g", { transform: `translate(${PLOT.left} ${bottom})` },
        ticks(x.low, x.high, 6).map((at) => draw("text", { x: x(at), y: 15, "text-anchor": "middle" }, inDigits(at))),
        draw("text", { x: (PLOT.right - PLOT.left) / 2, y: 33, "text-anchor": "middle" }, label))),
    make("ul", { class: "legend" }, legend.map(([style, text]) => make("li", {}, style && swatch(style), text))),
    make("figcaption", {}, caption),
  ];
}

function drawPanel([label, low, high, lines, marks], height, x, point) {
  const y = scale(low, high, height, 0);
  const width = PLOT.right - PLOT.left;
  return [
    ticks(low, high, 4).map((at) => draw("text", { x: -6, y: y(at) + 3.5, "text-anchor": "end" }, inDigits(at))),
    draw("text", { transform: `translate(-62 ${height / 2}) rotate(-90)`, "text-anchor": "middle" }, label),
    draw("path", { class: "axes", d: `M0 0V${height}H${width}` }),
    // An inner drawing is clipped at its edges.
    draw("svg", { width, height },
      draw("path", { class: "point", d: `M${x(point)} 0V${height}` }),
      lines.map(([style, points]) => draw("path", { class: `line s-${style}`, d: pathOf(points, x, y) }))),
    marks.map((mark, place) => drawMark(mark, x(point), y, marks[0][1], place)),
  ];
}

/** A marker with its number: away from what is expected, or beside others where it is at an edge. */
function drawMark([style, at, text, beyond], x, y, expected, place) {
  const free = !beyond && text !== "nan";
  const [right, down] = free ? [8, at < expected ? 15 : -7] : [66 * place - 56, 3.5];
  return draw("g", { class: `mark s-${style}`, transform: `translate(${x} ${y(at)})` },
    draw("path", { d: BEYOND[beyond] || markerOf(style) }), text && draw("text", { x: right, y: down }, text));
}

function swatch(style) {
  return draw("svg", { class: `s-${style}`, width: 38, height: 14, viewBox: "-19 -7 38 14", "aria-hidden": "true" },
    draw("path", { class: `line s-${style}`, d: "M-17 0H17" }), draw("g", { class: `mark s-${style}` }, draw("path", { d: markerOf(style) })));
}

/** A linear map from an axis to the drawing. */
function scale(low, high, from, to) {
  const map = (at) => tenths(from + ((at - low) / (high - low || 1)) * (to - from));
  return Object.assign(map, { low, high });
}

/** Round numbers between the ends of an axis, about so many. */
function ticks(low, high, count) {
  if (!(high > low)) return [low];
  const power = 10 ** Math.floor(Math.log10((high - low) / count));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((wide) => (high - low) / wide <= count);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(9)));
}

const inDigits = (number) => String(number + 0).replaceAll("-", "−");

/** A path through the points; a point without a number is a gap. */
function pathOf(points, x, y) {
  let pen = "M";
  return points.map(([at, value]) => {
    const part = value === null ? "" : `${pen}${x(at)} ${y(value)}`;
    pen = value === null ? "M" : "L";
    return part;
  }).join("");
}
