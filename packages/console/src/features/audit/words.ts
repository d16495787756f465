import { unnamedActors } from '@gantry/api/system/audit.rules'
import type { OutputOf } from '@gantry/api/client/client'
import { selectorOf } from '@gantry/api/base/selectors.rules'
import { kindWord, valueText } from '#/kit/page/stored-values.ts'
import { formatNumber, sentenceCase } from '#/ui/data/format.ts'

type AuditRecord = OutputOf<'auditRecordView'>
type AuditChange = AuditRecord['changes'][number]

const opWords: Record<AuditChange['op'], string> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
}

type Changed = Pick<AuditChange, 'kind' | 'op' | 'name'>

/** Credentials have no name of their own; the name of their change is their owner's. */
const credentialWords: Record<string, string> = {
  'console-session': 'Ended sessions of',
  'device-access-token': 'Changed access tokens of',
  'second-factor': 'Changed second factors of',
}

/** The words before an object's name: `Deleted instance`. */
export const changeWords = ({ kind, op, name }: Changed): string =>
  (name !== null && credentialWords[kind]) || `${opWords[op]} ${kindWord(kind)}`

/** The object of the operation, and the number of others that changed with it. */
export function changedText({
  changes: [first],
  changeCount,
}: Pick<AuditRecord, 'changes' | 'changeCount'>): string {
  if (!first) return ''
  const more = changeCount > 1 ? ` and ${formatNumber(changeCount - 1)} more` : ''
  return `${changeWords(first)}${first.name === null ? '' : ` ${first.name}`}${more}`
}

/** The user as the list writes it, which the filter takes. */
export const actorText = ({
  actor,
  actorName,
  triedName,
}: Pick<AuditRecord, 'actor' | 'actorName' | 'triedName'>): string =>
  actorName ?? triedName ?? unnamedActors[actor.kind === 'silo_user' ? 'operator' : 'unauthenticated']

/** An operation as the list writes it, `IP pool update`, or its id. */
export const operationOf = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')

/** The name in an object as the list writes it: `Deleted IP pool audited`, `IP pool audited` or `audited`. */
export function objectOf(words: string): string {
  const object = after(words.trim(), Object.values(opWords))
  return after(object, Object.keys(selectorOf).map(kindWord).toSorted(longestFirst))
}

const longestFirst = (one: string, other: string) => other.length - one.length

/** The rest of a text that begins with one of these; otherwise the text. */
function after(text: string, beginnings: readonly string[]): string {
  const lower = text.toLowerCase()
  const begins = beginnings.find((beginning) => lower.startsWith(`${beginning.toLowerCase()} `))
  return begins === undefined ? text : text.slice(begins.length).trim()
}

/** Labels and values of what a record says beyond its request. */
export function detailItems(details: Record<string, unknown>): { label: string; value: string }[] {
  return Object.entries(details)
    .map(([field, value]) => ({
      label: detailLabels[field] ?? sentenceCase(field),
      value: valueText(field, value),
    }))
    .filter(({ value }) => value !== '')
}

const detailLabels: Record<string, string> = {
  seconds: 'Duration',
  bytes_in: 'Typed',
  bytes_out: 'Shown',
  client_id: 'Client ID',
  token_id: 'Token ID',
}

export interface FieldChange {
  field: string
  before: string
  after: string
}

/** Bookkeeping that every change raises. */
const silent = new Set(['generation', 'time_modified'])

/** The fields whose values differ, by name; all fields of a created or deleted object. */
export function fieldChanges({ before, after: now }: Pick<AuditChange, 'before' | 'after'>): FieldChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(now ?? {})])]
  return fields
    .filter((field) => !silent.has(field))
    .map((field) => ({
      field,
      before: valueText(field, before?.[field]),
      after: valueText(field, now?.[field]),
    }))
    .filter((change) => change.before !== change.after)
}
