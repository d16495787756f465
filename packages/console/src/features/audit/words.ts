import { formatNumber, sentenceCase } from '#/ui/format.ts'
import type { AuditChange, AuditRecord } from './queries.ts'

export const opWords: Record<AuditChange['op'], string> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
}

/** `floating-ip` as `floating IP`. */
export function kindWord(kind: string): string {
  const words = sentenceCase(kind)
  return /^[A-Z]{2}/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)
}

/** The first changed object, and the number of others. */
export function changedText({ changes: [first], changeCount }: AuditRecord): string {
  if (!first) return ''
  const more = changeCount > 1 ? ` and ${formatNumber(changeCount - 1)} more` : ''
  return `${opWords[first.op]} ${kindWord(first.kind)}${first.name === null ? '' : ` ${first.name}`}${more}`
}

export interface FieldChange {
  field: string
  before: string
  after: string
}

/** Bookkeeping that every change raises. */
const silent = new Set(['generation', 'time_modified'])

/** The fields whose values differ, by name; all fields of a created or deleted object. */
export function fieldChanges({ before, after }: Pick<AuditChange, 'before' | 'after'>): FieldChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields
    .filter((field) => !silent.has(field))
    .map((field) => ({ field, before: shown(before?.[field]), after: shown(after?.[field]) }))
    .filter((change) => change.before !== change.after)
}

function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
