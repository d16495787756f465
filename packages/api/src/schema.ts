import { z } from 'zod'
import { ownField } from './reference-document.ts'
import { isLonger } from './base/text.rules.ts'
import { canonicalUuid, descriptionMaxLength, isUuid, nameMaxLength, nameProblem } from './base/name.rules.ts'

/** Named schemas become components of the document; all others are inlined. */
export const components = new Map<z.ZodType, string>()

export function named<S extends z.ZodType>(id: string, schema: S): S {
  components.set(schema, id)
  return schema
}

/** Our own field in a schema of the reference: always optional, and omitted from `/openapi.json`. */
export const ours = <S extends z.ZodOptional>(schema: S): S => schema.meta({ [ownField]: true })

/** Text of at most `max` characters; nothing reads a longer one. */
export const text = (max: number, words = `value may contain at most ${max} characters`) => {
  const check = z.maxLength(max, { error: words, abort: true })
  // oxlint-disable no-underscore-dangle -- where zod keeps what a check does
  const refuse = check._zod.check.bind(check._zod)
  // Zod counts the units of a JavaScript string, and the API description code points.
  check._zod.check = (payload) => {
    if (isLonger(payload.value as string, max)) void refuse(payload)
  }
  // oxlint-enable no-underscore-dangle
  return z.string().check(check)
}

/** Default maximum length of a list; most services refuse earlier, in the API's words. */
const listMax = 256
/** A list of at most `max` items. A longer one is refused before any item is read (`parse/oversize.ts`). */
export const list = <Item extends z.ZodType>(item: Item, max = listMax) => z.array(item).max(max)

/** Maximum length of an id in any of its textual forms, in characters. */
const uuidMaxLength = 'urn:uuid:'.length + 36
/** Maximum length of an address or network, for IPv6 written out with a width. */
export const ipMaxLength = 64

/** Optional input: absent and null both mean "not given". */
export const maybe = <S extends z.ZodType>(schema: S) => schema.nullish()

/** Accepts any textual form, and normalises it. */
export const Uuid = text(uuidMaxLength, 'UUID parsing failed')
  .refine(isUuid, { error: 'UUID parsing failed', abort: true })
  .overwrite(canonicalUuid)
  .meta({ format: 'uuid' })

/** Text that is a name. */
export const nameText = () =>
  text(nameMaxLength, 'name may contain at most 63 characters').superRefine((name, context) => {
    const problem = nameProblem(name)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
export const Name = named(
  'Name',
  nameText().meta({ minLength: 1, pattern: '^[a-z](?:[a-z0-9-]*[a-z0-9])?$' }),
)

const neitherNameNorId = 'data did not match any variant of untagged enum NameOrId'
export const NameOrId = named(
  'NameOrId',
  text(nameMaxLength, neitherNameNorId).refine(
    (given) => isUuid(given) || !nameProblem(given),
    neitherNameNorId,
  ),
)

/** `true` or `false` in a query. */
export const flag = z.preprocess(
  (given) => (given === 'true' ? true : given === 'false' ? false : given),
  z.boolean(),
)

/** RFC 3339 in UTC. */
export const Timestamp = z.string().meta({ format: 'date-time' })

/** A time as input, with any offset; inlined, so that the description can say that it may be null. */
export const moment = () =>
  z.iso
    .datetime({ offset: true, error: 'expected a date and time such as 2025-08-01T00:00:00Z', abort: true })
    .max(64)
    .meta({ format: 'date-time' })
export const Moment = named('Moment', moment())

const tooManyBytes = 'value is too large for a byte count'
/** Bytes, as a JSON integer up to 2^63 - 1; sizes in this product stay within the safe integers. */
export const ByteCount = named(
  'ByteCount',
  z
    .number()
    .int({ error: (issue) => (issue.code === 'too_big' ? tooManyBytes : undefined) })
    .nonnegative()
    .max(Number.MAX_SAFE_INTEGER, tooManyBytes)
    .meta({ format: 'uint64' }),
)

export const Description = z.string()
const DescriptionGiven = text(
  descriptionMaxLength,
  `description may contain at most ${descriptionMaxLength} characters`,
)

const identity = {
  id: Uuid,
  name: Name,
  description: Description,
  time_created: Timestamp,
  time_modified: Timestamp,
}

/** Fields of every named resource, first in each response. */
export const withIdentity = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ ...identity, ...shape })
export const identityCreate = { name: Name, description: DescriptionGiven }
export const IdentityUpdate = { name: maybe(Name), description: maybe(DescriptionGiven) }

export const pageOf = <S extends z.ZodType>(id: string, item: S) =>
  named(`${id}ResultsPage`, z.object({ items: z.array(item), next_page: z.string().nullish() }))

export const nameOrIdSorts = ['name_ascending', 'name_descending', 'id_ascending'] as const
export const idSorts = ['id_ascending'] as const

/** Larger limits are silently reduced to this (control plane reference, 4.1). */
export const maxPageSize = 10_000
export const defaultPageSize = 100

/** Maximum length of a plain list's page token, in characters. */
export const pageTokenMax = 512
export const paging = (tokenMax: number) => ({
  limit: maybe(z.coerce.number().int().min(1).max(4_294_967_295)),
  page_token: maybe(text(tokenMax, 'failed to parse pagination token: too large')),
})
export const NameOrIdPaging = z.object({
  ...paging(pageTokenMax),
  sort_by: maybe(named('NameOrIdSortMode', z.enum(nameOrIdSorts))),
})
export const IdPaging = z.object({
  ...paging(pageTokenMax),
  sort_by: maybe(named('IdSortMode', z.enum(idSorts))),
})

export const InProject = z.object({ project: maybe(NameOrId) })
/** For creation, where the parent must be named. */
export const OfProject = z.object({ project: NameOrId })

/** A list with an optional project, and one that needs it on its first page. */
export const projectPaging = NameOrIdPaging.extend({ project: maybe(NameOrId) })
export const listInProject = {
  query: projectPaging,
  requiredOnFirstPage: ['project'],
  sorts: nameOrIdSorts,
} as const
