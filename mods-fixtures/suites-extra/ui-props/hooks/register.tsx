// The test says in `requestId` what to do: a prop's name, and one of changed, removed, null or other (a value of another kind).
const OTHER = { text: 'changed', number: 7, flag: true, list: ['other'], object: { other: 1 } }
const changed = (v: any): any => typeof v === 'string' ? 'changed' : typeof v === 'number' ? v + 1 : typeof v === 'boolean' ? !v : Array.isArray(v) ? [...v, ...v] : v && typeof v === 'object' ? { ...v, more: 1 } : v
const other = (v: any): any => typeof v === 'string' ? OTHER.number : OTHER.text

export function register(on: any) {
  on('ui.render', async ($: any, e: any, next: any) => {
    const [, name, how] = e.requestId.split(' ')
    const props: any = { ...e.props }
    if (how === 'changed') props[name] = changed(props[name])
    if (how === 'removed') delete props[name]
    if (how === 'null') props[name] = null
    if (how === 'other') props[name] = other(props[name])
    if (how === 'added') props.added = 1
    return next({ ...e, props })
  }).catch(async ($: any, e: any, next: any) => next(e))
}
