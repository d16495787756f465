import type { FilteredKind } from '@gantry/api/filter/filter-fields.rules'

const nouns: Partial<Record<FilteredKind, string>> = {
  'floating-ip': 'floating IP',
  'instance-backup': 'backup',
  'instance-snapshot': 'instance snapshot',
  vpc: 'VPC',
}

/** In the words of messages; its plural has an `s`. */
export const kindNoun = (kind: FilteredKind): string => nouns[kind] ?? kind
