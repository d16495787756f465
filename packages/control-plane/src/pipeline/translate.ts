import { baseBodies } from '@gantry/api/editions/base-bodies'
import { isRead } from '@gantry/api/op'
import { operationId, type OpName } from '@gantry/api/registry'
import { Inexpressible, ref, type Schema, Untranslatable } from '@gantry/api/versions/dated'
import { formerPaths, type Versions, versionsOf } from '@gantry/api/versions/document'
import { Translator } from '@gantry/api/versions/translate'
import { newestVersion } from '@gantry/api/versions/newest.rules'
import { baseVersion } from '@gantry/api/versions/version.rules'
import type { Cx } from '../context/cx.ts'
import { invalid, Refusal } from '../context/refusal.ts'
import type { Reading } from '../parse/parse.ts'
import type { Route } from './router.ts'

type Responses = Record<string, { content?: Record<string, { schema: Schema }> }>
interface Described {
  operationId: string
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Responses
  [versionsOf]?: Versions
}
type Paths = Record<string, Record<string, Described>>

interface Translations {
  translator: Translator
  operations: ReadonlyMap<string, Described>
}

/** Read with the first request of an older version: clients of the newest never need it. */
let read: Promise<Translations> | undefined

async function translations(): Promise<Translations> {
  const { default: whole } = await import('@gantry/api/openapi.ext.json')
  const { paths, [formerPaths]: former = {} } = whole as unknown as { paths: Paths; [formerPaths]?: Paths }
  const described = [...Object.values(paths), ...Object.values(former)].flatMap((item) => Object.values(item))
  return {
    translator: new Translator(whole.components.schemas),
    operations: new Map(described.map((operation) => [operation.operationId, operation])),
  }
}

const json = 'application/json'

/** The answer of an operation as the request's version has it. */
export async function answerDown(cx: Cx, name: OpName, status: number, body: unknown): Promise<unknown> {
  if (cx.request.version === newestVersion) return body
  const { translator, operations } = await (read ??= translations())
  const { [versionsOf]: versions, responses } = operations.get(operationId(name)) ?? { responses: {} }
  const described = { ...(versions?.formerAnswer?.responses as Responses | undefined), ...responses }
  const schema = described[String(status)]?.content?.[json]?.schema
  try {
    return (schema && translator.down(schema, cx.request.version)?.(body)) ?? body
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error
    const help = isRead(cx.raw?.method ?? 'GET')
      ? newerClient
      : `${newerClient} What was asked for has been done.`
    throw new Refusal(error.code, error.message, { help }, error.status)
  }
}

/**
 * How a request of the version is read: its body by the schema of the base edition if that has one, and then as that of
 * the newest.
 */
export async function readingOf(
  { name, op }: Pick<Route, 'name' | 'op'>,
  version: number,
): Promise<Pick<Reading, 'base' | 'names' | 'means' | 'translate' | 'isBodiless'>> {
  if (version === newestVersion) return {}
  const { formerParams: former } = op
  const params = former && version < former.until ? { names: former.names, means: former.means } : {}
  if (op.bodySince !== undefined && version < op.bodySince) return { ...params, isBodiless: true }
  return { ...params, ...(op.body && (await readingOfBody(name, version))) }
}

async function readingOfBody(name: OpName, version: number): Promise<Pick<Reading, 'base' | 'translate'>> {
  const { translator, operations } = await (read ??= translations())
  const schema = operations.get(operationId(name))?.requestBody?.content[json]?.schema
  const up = schema && translator.up(schema, version)
  return {
    ...(version === baseVersion && { base: baseBodies[name] }),
    ...(up && { translate: (body: object) => expressed(() => up(body)) }),
  }
}

/** What was stored of a request of the base edition, before services knew later shapes, as the newest version has it. */
export async function storedUp<Stored>(component: string, stored: unknown): Promise<Stored> {
  const { translator } = await (read ??= translations())
  const up = translator.up(ref(component), baseVersion)
  return (up ? up(stored) : stored) as Stored
}

function expressed<Result>(translate: () => Result): Result {
  try {
    return translate()
  } catch (error) {
    throw error instanceof Inexpressible ? invalid(error.message, error.help) : error
  }
}

const newerClient = 'Use a client of a newer version of the API.'
