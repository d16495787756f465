import type { FindSearch } from '../use-list-page.ts'

/** What an age means in a link from before filters were text. */
const ofAge: Readonly<Record<string, string>> = {
  hour: 'created<1h',
  day: 'created<1d',
  week: 'created<7d',
  month: 'created<30d',
  older: 'created>30d',
}

/** The filter that the URL names: as text, or by the parameters of older links. */
export function filterOf({ filter, name, state, age }: FindSearch): string {
  if (filter !== undefined) return filter
  const wanted = name?.trim().slice(0, 63)
  const states = state?.split(',').filter((each) => /^[a-z_]+$/.test(each)) ?? []
  return [
    ...(wanted ? [partOfName(wanted)] : []),
    ...(states.length > 0 ? [`state:${states.join(',')}`] : []),
    ...(age !== undefined && Object.hasOwn(ofAge, age) ? [ofAge[age] ?? ''] : []),
  ].join(' ')
}

/** Names have no other characters than these, so no name contains a text with others. */
const partOfName = (text: string): string =>
  /^[a-z\d-]+$/i.test(text) ? `name:*${text}*` : `name:"${text.replaceAll(/[\\"]/g, '\\$&')}"`
