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
export interface Versions extends Partial<
  Pick<Operation, 'since' | 'until' | 'formerPath' | 'formerTwin' | 'formerParams' | 'laterId' | 'bodySince'>
> {
  formerAnswer?: { responses: Json; until: number } | undefined
}

export function describedVersions(
  { since, until, formerPath, formerTwin, formerParams, laterId, bodySince }: Operation,
  formerAnswer: Versions['formerAnswer'],
): Json {
  const known: Versions = {
    since,
    until,
    formerPath,
    formerTwin,
    formerParams,
    laterId,
    bodySince,
    formerAnswer,
  }
  return Object.values(known).some((value) => value !== undefined) ? { [versionsOf]: known } : {}
}

/** The part of the complete description that one version has, with paths, ids and shapes as they were. */
export function documentOf<Whole extends WholeDocument>(whole: Whole, version: number): Whole {
  const { [formerPaths]: former = {}, ...rest } = whole as Whole & { [formerPaths]?: Paths }
  const paths: Paths = {}
  for (const [path, item] of [...Object.entries(whole.paths), ...Object.entries(former)])
    for (const [method, { [versionsOf]: versions = {}, ...described }] of Object.entries(item)) {
      const {
        formerPath,
        formerTwin: twin,
        formerParams,
        laterId,
        bodySince = 0,
        formerAnswer,
        ...range
      } = versions as Versions
      if (!isIn(range, version)) continue
      const at = pathIn({ path, formerPath, formerParams }, version)
      const operationId = laterId && laterId.since <= version ? laterId.id : described['operationId']
      const answer = formerAnswer && version < formerAnswer.until && { responses: formerAnswer.responses }
      const named = withParams(described, namesIn({ formerParams }, version))
      const { requestBody: _, ...bodiless } = named
      const sent = version < bodySince ? bodiless : named
      paths[at] = { ...paths[at], [method]: { ...sent, operationId, ...answer } }
      if (twin && version < twin.until)
        paths[twin.path] = { [method]: { ...sent, operationId: twin.id, ...answer } }
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

type Names = Readonly<Record<string, string | null>>

/** What parameters of an operation were called in a version. */
const namesIn = ({ formerParams: former }: Pick<Versions, 'formerParams'>, version: number): Names =>
  former && version < former.until ? former.names : {}

/** The path of an operation in a version, with the names that its parameters had. */
export function pathIn(
  op: Pick<Versions, 'formerPath' | 'formerParams'> & { path: string },
  version: number,
): string {
  const { path, formerPath: former } = op
  const names = namesIn(op, version)
  const then = former && version < former.until ? former.path : path
  return then.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${names[name] ?? name}}`)
}

/** The parameters of an operation as they were called. */
function withParams(described: Json, names: Names): Json {
  const parameters = described['parameters'] as readonly (Json & { name: string })[] | undefined
  if (!parameters || Object.keys(names).length === 0) return described
  return {
    ...described,
    parameters: parameters
      .filter(({ name }) => names[name] !== null)
      .map((each) => ({ ...each, name: names[each.name] ?? each.name })),
  }
}
