import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { type PastListKind, pastListKinds } from '@gantry/api/history/past.rules'
import { type ListQuery, listQuery } from '#/data/queries.ts'
import { texts } from '#/kit/list/use-list-page.ts'

export type PastObject = OutputOf<'pastObjectList'>['items'][number]

/** The URL's search parameters of a list at a moment. */
export interface PastSearch {
  page?: string
  kind?: string
  /** Of firewall rules. */
  vpc?: string
  /** The moment, in UTC. */
  at?: string
}

export const pastSearch: (search: Record<string, unknown>) => PastSearch = texts('page', 'kind', 'vpc', 'at')

export const kindOf = ({ kind, vpc }: PastSearch): PastListKind => {
  const known = pastListKinds.find((each) => each === kind) ?? 'instance'
  return known === 'vpc-firewall-rule' && vpc === undefined ? 'instance' : known
}

/** Undefined if the URL names none. */
export function momentOf({ at }: PastSearch): Date | undefined {
  const moment = new Date(at ?? '')
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

/** The past of an object does not change, but what differs now does. */
export function pastObjects(project: string, search: PastSearch, at: Date): ListQuery<'pastObjectList'> {
  const kind = kindOf(search)
  const vpc = kind === 'vpc-firewall-rule' && search.vpc !== undefined && { vpc: search.vpc }
  return listQuery(op.pastObjectList, { query: { project, kind, ...vpc, at: at.toISOString() } })
}
