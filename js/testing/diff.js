/** What changed between two texts, line by line. */

/** A larger table of lines takes longer than a reader has. */
const MOST_CELLS = 1_000_000;
/** Unchanged lines shown around a change. */
const AROUND = 3;

/**
 * @param {string} expected
 * @param {string} received
 * @returns {string | undefined} Lines marked `-` (expected only), `+` (received only) or with a space (both); long
 *   unchanged stretches are left out. Undefined where both are one line or too long to compare.
 */
export function lineDiff(expected, received) {
  const left = expected.split("\n");
  const right = received.split("\n");
  if (left.length === 1 && right.length === 1) return undefined;
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const oldPart = left.slice(start, left.length - end);
  const newPart = right.slice(start, right.length - end);
  if ((oldPart.length + 1) * (newPart.length + 1) > MOST_CELLS) return undefined;
  const same = (line) => ({ mark: " ", line });
  return show([...left.slice(0, start).map(same), ...changes(oldPart, newPart), ...left.slice(left.length - end).map(same)]);
}

/** The longest common subsequence of lines, read back as what was taken out, put in and kept. */
function changes(left, right) {
  const width = right.length + 1;
  const length = new Uint32Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      length[row * width + column] = left[row] === right[column]
        ? length[(row + 1) * width + column + 1] + 1
        : Math.max(length[(row + 1) * width + column], length[row * width + column + 1]);
    }
  }
  const marked = [];
  let row = 0;
  let column = 0;
  while (row < left.length || column < right.length) {
    if (row < left.length && column < right.length && left[row] === right[column]) {
      marked.push({ mark: " ", line: left[row] });
      row++;
      column++;
    } else if (column === right.length || (row < left.length && length[(row + 1) * width + column] >= length[row * width + column + 1])) {
      marked.push({ mark: "-", line: left[row++] });
    } else {
      marked.push({ mark: "+", line: right[column++] });
    }
  }
  return marked;
}

function show(marked) {
  const isNear = marked.map(() => false);
  marked.forEach(({ mark }, index) => {
    if (mark === " ") return;
    for (let near = Math.max(0, index - AROUND); near <= Math.min(marked.length - 1, index + AROUND); near++) isNear[near] = true;
  });
  const lines = [];
  let hidden = 0;
  marked.forEach(({ mark, line }, index) => {
    if (!isNear[index]) {
      hidden++;
      return;
    }
    if (hidden > 0) lines.push(`  … ${hidden} equal lines`);
    hidden = 0;
    lines.push(`${mark} ${line}`);
  });
  if (hidden > 0) lines.push(`  … ${hidden} equal lines`);
  return lines.join("\n");
}
