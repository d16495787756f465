import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export type Session = OutputOf<'networkingBgpStatus'>[number]
export type BgpConfig = OutputOf<'networkingBgpConfigList'>['items'][number]
export type AnnounceSet = OutputOf<'networkingBgpAnnounceSetList'>[number]

const changingMs = 2000
const steadyMs = 10_000

/** States that a session leaves automatically within seconds. */
const passing: ReadonlySet<string> = new Set(['connect', 'open_sent', 'open_confirm', 'session_setup'])

/** Sessions come up without a change record, so they are polled often until then. */
export const sessions = {
  ...opQuery(op.networkingBgpStatus, {}),
  refetchInterval: ({ state }: { state: { data: Session[] | undefined } }) =>
    state.data?.some((session) => passing.has(session.state)) ? changingMs : steadyMs,
}
export const exportedNetworks = opQuery(op.networkingBgpExportedList, {})
export const importedRoutes = (asn: number) => opQuery(op.networkingBgpImported, { query: { asn } })
export const messageHistory = (asn: number) => opQuery(op.networkingBgpMessageHistory, { query: { asn } })

export const bgpConfigs = listQuery(op.networkingBgpConfigList, {})
export const allBgpConfigs = allQuery(op.networkingBgpConfigList, {})
export const announceSets = opQuery(op.networkingBgpAnnounceSetList, {})
export const announcementsOf = (announceSet: string) =>
  opQuery(op.networkingBgpAnnouncementList, { path: { announceSet } })

/** A session's id is one of its switch. */
export const sessionKey = (session: Pick<Session, 'switch' | 'peerId'>): string =>
  `${session.switch} ${session.peerId}`
