import { nameMaxLength } from '@gantry/api/name.rules'

const ending = '-copy'

/** The name with the suffix `-copy`, cut to fit, and numbered if taken. */
export function copyName(name: string, taken: ReadonlySet<string> = new Set()): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? ending : `${ending}-${count}`
    const copy = `${name.slice(0, nameMaxLength - end.length).replace(/-+$/, '')}${end}`
    if (!taken.has(copy)) return copy
  }
}
