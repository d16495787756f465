import fs from 'node:fs'
import path from 'node:path'
// oxlint-disable-next-line gantry/walls -- Vite bundles only relative imports of its configuration
import { versionText } from '../../../api/src/versions/newest.rules.ts'
import type { DocElement, DocHeading, DocNode } from '../../src/features/docs/document.ts'
import { type ApiArea, apiAreas, otherArea } from './api-areas.ts'
import { refusalFacts } from './refusal-facts.ts'
import { type Example, type Parsed, textOf } from './markdown.ts'

interface Schema {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: readonly string[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

interface Described {
  operationId: string
  tags: readonly string[]
  summary: string
  parameters: readonly {
    in: string
    name: string
    required?: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: Content
  responses: Record<string, Content & { description: string }>
}

interface ApiDocument {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

interface Operation extends Described {
  'x-gantry-versions'?: {
    since?: number
    formerPath?: { path: string; until: number }
    formerTwin?: { path: string; until: number }
    formerParams?: { names: Readonly<Record<string, string | null>>; until: number }
    laterId?: { id: string; since: number }
  }
  method: string
  path: string
  canBePlanned: boolean
}

/** A page for each area of the API, from the document that describes everything served. */
export function apiPages(examples: readonly Example[]): (Parsed & { slug: string })[] {
  const { paths, components } = readDocument()
  const operations = Object.entries(paths).flatMap(([at, item]) =>
    Object.entries(item).map(([method, described]): Operation => ({
      ...described,
      method: method.toUpperCase(),
      path: at,
      canBePlanned: paths[`/ext/v1/plans${at}`]?.[method] !== undefined,
    })),
  )
  const own = operations
    .filter(({ tags }) => !tags.includes('plans'))
    // The extensions of a resource follow its reference.
    .sort((one, other) => Number(one.path.startsWith('/ext/')) - Number(other.path.startsWith('/ext/')))
  const areas = [...apiAreas, otherArea]
    .map((area) => ({ area, operations: own.filter((operation) => areaOf(operation) === area) }))
    .filter((each) => each.operations.length > 0)

  const homes = new Map<string, string>()
  const ofAreas = areas.map((each) => ({ ...each, types: claim(each, components.schemas, homes) }))
  return ofAreas.map(({ area, operations, types }) => {
    const nodes: DocNode[] = [['lead', null, area.lead, ' ', ...aboutAll]]
    const headings: DocHeading[] = []
    const heading = (level: number, id: string, text: string): void => {
      headings.push({ id, text, level })
      nodes.push([`h${level}`, { id }, text])
    }
    for (const [group, members] of groupsOf(operations)) {
      heading(2, `group-${group.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`, group)
      for (const operation of members) {
        heading(3, operation.operationId, operation.summary)
        nodes.push(...operationNodes(operation, homes, area.slug, examples))
      }
    }
    if (types.length > 0) heading(2, 'types', 'Types')
    for (const name of types) {
      heading(3, typeId(name), name)
      nodes.push(...typeNodes(components.schemas[name] ?? {}, linker(homes, area.slug)))
    }
    return { slug: area.slug, title: `API: ${area.title}`, nodes, headings }
  })
}

const aboutAll: DocNode[] = [
  'How requests are sent, paged and refused is on the page ',
  ['a', { href: '/docs/api' }, 'API'],
  '.',
]

const readDocument = (): ApiDocument =>
  JSON.parse(
    fs.readFileSync(path.resolve(import.meta.dirname, '../../../api/openapi.ext.json'), 'utf8'),
  ) as ApiDocument

function areaOf({ path: at, tags: [tag = ''] }: Operation): ApiArea {
  const family = /^\/ext\/v1\/([^/]+)/.exec(at)?.[1] ?? (at.startsWith('/login/') ? 'login' : undefined)
  return (
    apiAreas.find(({ tags, families }) => (family ? families.includes(family) : tags.includes(tag))) ??
    otherArea
  )
}

/** Operations by the resource that their path begins with. */
function groupsOf(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const [, , first = '', second = ''] = operation.path
      .replace(/^\/(ext|experimental)/, '')
      .replace(/^\/v1/, '/v1')
      .split('/')
    const word = (first === 'system' || first === 'me') && second ? second : first || 'sign-in'
    const group = words(word.replaceAll(/[{}]/g, ''))
    groups.set(group, [...(groups.get(group) ?? []), operation])
  }
  return groups
}

const words = (name: string): string => {
  const text = name
    .replaceAll(/[-_]/g, ' ')
    .replaceAll(
      /\b(vpc|ip|ssh|bgp|bfd|saml|totp|api)(s?)\b/g,
      (_, word: string, s: string) => word.toUpperCase() + s,
    )
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The types that the operations of an area are the first to use, with those that these use. */
function claim(
  { area, operations }: { area: ApiArea; operations: readonly Operation[] },
  schemas: Record<string, Schema>,
  homes: Map<string, string>,
): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      const name = key === '$ref' && typeof value === 'string' ? nameIn(value) : undefined
      if (name === undefined) visit(value)
      else if (!homes.has(name) && !isPage(name)) {
        homes.set(name, area.slug)
        found.push(name)
        visit(schemas[name])
      } else if (isPage(name)) visit(schemas[name]?.properties?.['items'])
    }
  }
  for (const { parameters, requestBody, responses } of operations) visit([parameters, requestBody, responses])
  return found.sort()
}

/** A page of a list is told by its items. */
const isPage = (name: string): boolean => name.endsWith('ResultsPage')
const nameIn = (ref: string): string => ref.split('/').at(-1) ?? ''
const typeId = (name: string): string => `type-${name.toLowerCase()}`

type Linker = (name: string) => DocNode

const linker =
  (homes: ReadonlyMap<string, string>, slug: string): Linker =>
  (name) => {
    const home = homes.get(name)
    if (isPage(name)) return ['span', null, 'a page of items']
    if (home === undefined) return ['code', null, name]
    return ['a', { href: `${home === slug ? '' : `/docs/${home}`}#${typeId(name)}` }, name]
  }

function operationNodes(
  operation: Operation,
  homes: ReadonlyMap<string, string>,
  slug: string,
  examples: readonly Example[],
): DocNode[] {
  const { method, path: at, operationId, parameters, requestBody, responses, canBePlanned } = operation
  const link = linker(homes, slug)
  const { formerPath, formerTwin, formerParams, laterId, since } = operation['x-gantry-versions'] ?? {}
  const isOwn = at.startsWith('/ext/') || operation.tags.includes('extensions')
  const facts: DocNode[] = [
    ...fact('Name', ['code', null, operationId]),
    ...(isOwn ? fact('Belongs to', 'the extensions of this server, in one form for every edition') : []),
    ...(since ? fact('Since version', ['code', null, versionText(since)]) : []),
    ...[formerPath, formerTwin].flatMap((former, at) =>
      former
        ? fact(`${at === 0 ? 'Before' : 'Also before'} version ${versionText(former.until)}`, [
            'code',
            null,
            `${method} ${former.path}`,
          ])
        : [],
    ),
    ...(laterId
      ? fact(`Its name from version ${versionText(laterId.since)} on`, ['code', null, laterId.id])
      : []),
    ...(canBePlanned
      ? fact('Can be planned', ['a', { href: '/docs/api#plans' }, 'see what it would do, without doing it'])
      : []),
    ...refusalFacts(operationId).flatMap(({ name, value }) => fact(name, value)),
  ]
  /** What a parameter was called, or since when it exists. */
  const before = (name: string): DocNode[] => {
    const former = formerParams?.names[name]
    if (!formerParams || former === undefined) return []
    const version = versionText(formerParams.until)
    return former === null
      ? [` Since version ${version}.`]
      : [` Before version ${version}: `, ['code', null, former], '.']
  }
  const rows = parameters.map((parameter): DocElement[] => [
    ['td', null, ['code', null, parameter.name]],
    ['td', null, parameter.in],
    ['td', null, ...typeWords(parameter.schema, link, 'left out'), parameter.required ? '' : ', optional'],
    ['td', null, parameter.description ?? parameter.schema.description ?? '', ...before(parameter.name)],
  ])
  // The page of the API itself comes last, and has the plainest.
  const example = examples.findLast((each) => each.method === method && patternOf(at).test(each.path))
  return [
    ['code-block', { language: 'path', text: `${method} ${at}` }],
    ...(facts.length > 0 ? [['facts', null, ...facts] as DocNode] : []),
    ...(rows.length > 0 ? [tableOf(['Parameter', 'In', 'Type', 'Meaning'], rows)] : []),
    ...bodyNodes(requestBody, link),
    ...answerNodes(responses, link),
    ...(example
      ? [
          [
            'p',
            null,
            'An example, from the page ',
            ['a', { href: `/docs/${example.slug}` }, 'that explains it'],
            ':',
          ] as DocNode,
          ['code-block', { language: 'http', text: example.text }] as DocNode,
        ]
      : []),
  ]
}

const fact = (name: string, value: DocNode): DocNode[] => [
  ['dt', null, name],
  ['dd', null, value],
]

const patternOf = (at: string): RegExp =>
  new RegExp(`^${at.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')}$`)

function bodyNodes(body: Content | undefined, link: Linker): DocNode[] {
  return Object.entries(body?.content ?? {}).flatMap(([type, { schema = {} }]): DocNode[] => {
    const kind = type === 'application/json' ? [] : [' (', ['code', null, type] as DocNode, ')']
    return [
      ['p', null, ['strong', null, 'Body'], ...kind, ': ', ...typeWords(schema, link)],
      ...(schema.$ref ? [] : fieldsOf(schema, link)),
    ]
  })
}

function answerNodes(responses: Described['responses'], link: Linker): DocNode[] {
  return Object.entries(responses)
    .filter(([status]) => !/^[45]XX$/.test(status))
    .flatMap(([status, { content = {} }]): DocNode[] => {
      const [type, { schema }] = Object.entries(content)[0] ?? ['', { schema: undefined }]
      const isPaged = schema?.$ref !== undefined && isPage(nameIn(schema.$ref))
      const what: DocNode[] =
        schema === undefined
          ? [', no body']
          : isPaged
            ? [', a page of ', ...itemsOf(nameIn(schema.$ref ?? ''), link)]
            : type === 'application/json'
              ? [', ', ...typeWords(schema, link)]
              : [', ', ['code', null, type]]
      return [
        ['p', null, ['strong', null, 'Answer'], ': ', status === 'default' ? 'by protocol' : status, ...what],
        ...(schema && !schema.$ref ? fieldsOf(schema, link) : []),
      ]
    })
}

const itemsOf = (page: string, link: Linker): DocNode[] => [link(page.replace(/ResultsPage$/, ''))]

const typeNodes = (schema: Schema, link: Linker): DocNode[] => [
  ...(schema.description ? [['p', null, schema.description] as DocNode] : []),
  ...(schema.properties ? [] : [['p', null, ...typeWords(schema, link)] as DocNode]),
  ...fieldsOf(schema, link),
]

/** The fields of an object; of alternatives, the fields of each. */
function fieldsOf(schema: Schema, link: Linker): DocNode[] {
  const variants = schema.oneOf ?? schema.anyOf ?? []
  const rows = rowsOf(schema, link, '')
  return [
    ...(rows.length > 0 ? [tableOf(['Field', 'Type', 'Meaning'], rows)] : []),
    ...variants.flatMap((variant) => {
      const own = rowsOf(variant, link, '')
      return own.length > 0 ? [tableOf(['Field', 'Type', 'Meaning'], own)] : []
    }),
  ]
}

const rowsOf = (schema: Schema, link: Linker, before: string): DocElement[][] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const isRequired = schema.required?.includes(name)
    const row: DocElement[] = [
      ['td', null, ['code', null, before + name]],
      ['td', null, ...typeWords(property, link), isRequired ? '' : ', optional'],
      ['td', null, meaningOf(property)],
    ]
    return [row, ...(before.split('.').length < 3 ? rowsOf(property, link, `${before}${name}.`) : [])]
  })

const meaningOf = ({ description = '', default: standard }: Schema): string =>
  [description, standard === undefined ? '' : `Default: ${JSON.stringify(standard)}.`]
    .filter(Boolean)
    .join(' ')

/** A type in words: `string, at most 63 characters`. A query cannot say null. */
function typeWords(schema: Schema, link: Linker, nulls: 'told' | 'left out' = 'told'): DocNode[] {
  if (schema.$ref) return [link(nameIn(schema.$ref))]
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (alternatives) {
    const own = alternatives.filter(({ type }) => type !== 'null')
    const nullable = own.length < alternatives.length && nulls === 'told'
    const all =
      own.every(({ properties }) => properties) && own.length > 1
        ? ['one of these objects' as DocNode]
        : joined(
            own.map((each) => typeWords(each, link)),
            ' or ',
          )
    return [...all, nullable ? ' or null' : '']
  }
  if (schema.enum)
    return joined(
      schema.enum.map((each): DocNode[] => [['code', null, JSON.stringify(each)]]),
      ', ',
    )
  if (schema.const !== undefined) return [['code', null, JSON.stringify(schema.const)]]
  if (schema.type === 'array')
    return ['list of ', ...typeWords(schema.items ?? {}, link), limit(schema.maxItems, 'items')]
  const type = [schema.type ?? 'any value'].flat().join(' or ')
  const format = schema.format && !/^u?int\d+$/.test(schema.format) ? ` (${schema.format})` : ''
  const length = schema.format ? '' : limit(schema.maxLength, 'characters')
  const range =
    schema.minimum !== undefined && schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER
      ? ` from ${schema.minimum} to ${schema.maximum}`
      : ''
  return [type + format + length + range]
}

const limit = (most: number | undefined, of: string): string =>
  most === undefined ? '' : `, at most ${most} ${of}`

const joined = (lists: readonly (readonly DocNode[])[], between: string): DocNode[] =>
  lists.flatMap((list, index) => (index === 0 ? list : [between, ...list]))

/** A column without a word has no place. */
function tableOf(heads: readonly string[], rows: readonly (readonly DocElement[])[]): DocNode {
  const isUsed = (column: number): boolean => rows.some((cells) => textOf(cells[column] ?? '').trim() !== '')
  return [
    'table',
    null,
    [
      'thead',
      null,
      ['tr', null, ...heads.filter((_, at) => isUsed(at)).map((head): DocNode => ['th', null, head])],
    ],
    ['tbody', null, ...rows.map((cells): DocNode => ['tr', null, ...cells.filter((_, at) => isUsed(at))])],
  ]
}
