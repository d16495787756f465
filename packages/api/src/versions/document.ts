import type { Operation } from '../op.ts'
import type { Schema } from './dated.ts'
import { versionText } from './newest.rules.ts'
import { stepsFrom } from './translate.ts'
import { isIn } from './version.rules.ts'

type Json = Record<string, unknown>
type Paths = Record<string, Record<string, Json>>
export interface WholeDocument {
  info: Json
  paths: Paths
  components: { schemas: Record<string, Json> }
}

/** Where the complete description keeps the operations that the newest version no longer has, by path and method. */
export const formerPaths = 'x-gantry-former-paths'
/** Where it says in which versions an operation exists, where, under which id, and with which answer. */
export const versionsOf = 'x-gantry-versions'
export interface Versions extends Partial<Pick<Operation, 'since' | 'until' | 'formerPath' | 'laterId'>> {
  formerAnswer?: { responses: Json; until: number } | undefined
}

export function describedVersions(
  { since, until, formerPath, laterId }: Operation,
  formerAnswer: Versions['formerAnswer'],
): Json {
  const known: Versions = { since, until, formerPath, laterId, formerAnswer }
  return Object.values(known).some((value) => value !== undefined) ? { [versionsOf]: known } : {}
}

/** The part of the complete description that one version has, with paths, ids and shapes as they were. */
export function documentOf<Whole extends WholeDocument>(whole: Whole, version: number): Whole {
  const { [formerPaths]: former = {}, ...rest } = whole as Whole & { [formerPaths]?: Paths }
  const paths: Paths = {}
  for (const [path, item] of [...Object.entries(whole.paths), ...Object.entries(former)])
    for (const [method, { [versionsOf]: versions = {}, ...described }] of Object.entries(item)) {
      const { formerPath, laterId, formerAnswer, ...range } = versions as Versions
      if (!isIn(range, version)) continue
      const at = formerPath && version < formerPath.until ? formerPath.path : path
      const operationId = laterId && laterId.since <= version ? laterId.id : described['operationId']
      const answer = formerAnswer && version < formerAnswer.until && { responses: formerAnswer.responses }
      paths[at] = { ...paths[at], [method]: { ...described, operationId, ...answer } }
    }
  const schemas = stepsFrom(whole.components.schemas as Record<string, Schema>).findLast(
    ({ dated }) => dated.version > version,
  )?.older
  return {
    ...(rest as unknown as Whole),
    info: { ...whole.info, version: versionText(version) },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { ...whole.components, schemas: schemas ?? whole.components.schemas },
  }
}
