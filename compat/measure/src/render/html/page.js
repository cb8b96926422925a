const lines = [...document.querySelectorAll('.line')];
const marked = lines.filter((line) => line.classList.contains('marked'));
const only = document.getElementById('only');
const find = document.getElementById('find');
const place = document.getElementById('place');
const none = document.querySelector('.none');
const texts = lines.map((line) => line.textContent.toLowerCase());
let at = -1;

function filter() {
  const word = find.value.trim().toLowerCase();
  let left = 0;
  lines.forEach((line, index) => {
    const fits = (!only.checked || line.classList.contains('marked')) && (!word || texts[index].includes(word));
    line.hidden = !fits;
    left += fits ? 1 : 0;
  });
  none.hidden = left > 0;
}

function go(step) {
  const open = marked.filter((line) => !line.hidden);
  if (open.length === 0) return;
  at = (at + step + open.length) % open.length;
  show(open[at]);
  place.textContent = `${at + 1} of ${open.length}`;
}

function show(line) {
  document.querySelector('.here')?.classList.remove('here');
  line.classList.add('here');
  line.scrollIntoView({ block: 'center' });
}

only.addEventListener('change', filter);
find.addEventListener('input', filter);
document.getElementById('next').addEventListener('click', () => go(1));
document.getElementById('prev').addEventListener('click', () => go(-1));
document.addEventListener('keydown', (event) => {
  if (event.target === find || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'j') go(1);
  if (event.key === 'k') go(-1);
});
document.getElementById('map')?.addEventListener('click', (event) => {
  const box = event.currentTarget.getBoundingClientRect();
  const index = Math.floor(((event.clientX - box.left) / box.width) * lines.length);
  const line = lines[Math.min(Math.max(index, 0), lines.length - 1)];
  if (!line.hidden) show(line);
});
