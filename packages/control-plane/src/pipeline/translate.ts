import { isRead } from '@gantry/api/op'
import { operationId, type OpName } from '@gantry/api/registry'
import { type Schema, Untranslatable } from '@gantry/api/versions/dated'
import { formerPaths, type Versions, versionsOf } from '@gantry/api/versions/document'
import { Translator } from '@gantry/api/versions/translate'
import { newestVersion } from '@gantry/api/versions/newest.rules'
import type { Cx } from '../context/cx.ts'
import { Refusal } from '../context/refusal.ts'

type Responses = Record<string, { content?: Record<string, { schema: Schema }> }>
interface Described {
  operationId: string
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

const newerClient = 'Use a client of a newer version of the API.'
