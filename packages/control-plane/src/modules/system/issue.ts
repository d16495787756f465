import type { SystemIssue } from '@gantry/api/system/system'
import { issueLimits, type IssueKind } from '@gantry/api/system/system.rules'
import type { Cx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'

export type Touched = SystemIssue['touches'][number]

/** A source's input: rows, at a point in time. */
export type Looking = Pick<Cx, 'db' | 'now'> & { services: Pick<Services, 'certificates'> }

/** A source of issues of one kind: returns at most one more than are listed, to show that the list is cut. */
export interface IssueSource {
  kind: IssueKind
  open: (look: Looking) => Promise<SystemIssue[]>
  /** Past issues, where rows record them; episodes do for the others. */
  past?: (look: Looking) => Promise<SystemIssue[]>
}

export const readLimit = issueLimits.listed + 1

export const hoursBefore = (now: Date, hours: number): Date => new Date(now.getTime() - hours * 3_600_000)

/** The fields that the list adds to an open issue, and that issues stored by earlier versions lack. */
export const unrelated = { cause: null, effects: 0, fault: null, acknowledgement: null } as const

type IssueDetails = Omit<SystemIssue, 'id' | 'kind' | 'since' | 'ended' | keyof typeof unrelated> & {
  since: Date | null
  ended?: Date | null
  fault?: SystemIssue['fault']
}

/** `key` distinguishes issues of the same kind. */
export const issueOf = (
  kind: IssueKind,
  key: string,
  { since, ended, ...details }: IssueDetails,
): SystemIssue => ({
  id: `${kind}:${key}`,
  kind,
  since: since?.toISOString() ?? null,
  ended: ended?.toISOString() ?? null,
  ...unrelated,
  ...details,
})

export const touched = (
  kind: Touched['kind'],
  id: string,
  name: string,
  { project_name = null, silo_name = null }: Partial<Pick<Touched, 'project_name' | 'silo_name'>> = {},
): Touched => ({ kind, id, name, project_name, silo_name })

/** `97%`, rounded down so that only a full one says 100. */
export const percent = (share: number): string => `${Math.floor(share * 100)}%`
