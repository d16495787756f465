import type { Tag } from './tag.rules.ts'

/**
 * Tags of what a request creates, as `env=prod&team=web`, encoded as a query is. A header, because the operations of
 * the reference take no tags.
 */
export const tagsHeader = 'gantry-tags'

/** Characters; servers refuse requests whose headers are much longer than this. */
export const tagsHeaderLength = 8192

/** The header's text. */
export const tagsToHeader = (tags: readonly Tag[]): string =>
  new URLSearchParams(tags.map(({ key, value }) => [key, value])).toString()

/** The tags in the header's text, of whatever form they are. */
export const tagsOfHeader = (text: string): Tag[] =>
  [...new URLSearchParams(text)].map(([key, value]) => ({ key, value }))
