import type { OfProjectKind } from '../filter/list-kinds.rules.ts'

/**
 * What a saved filter counts, as `listKinds` has it: `floating IP`. Pages that name it do without the kinds of lists,
 * whose fields are large.
 */
export const filterNoun = (kind: OfProjectKind): string =>
  kind === 'instance-backup'
    ? 'backup'
    : kind.replaceAll('-', ' ').replaceAll(/\b(ip|vpc)\b/g, (word) => word.toUpperCase())
