import type { PastListKind } from '@gantry/api/history/past.rules'
import type { LinkTarget } from '#/kit/links/link-target.ts'

/** A list of a project at a moment; without one, the page asks for it. */
export const pastLink = (project: string, kind: PastListKind, vpc?: string) =>
  ({
    to: '/projects/$project/past',
    params: { project },
    search: { kind, ...(vpc !== undefined && { vpc }) },
  }) satisfies LinkTarget
