// oxlint-disable gantry/walls -- Vite bundles only relative imports of its configuration
import { fourEyesOf } from '../../../api/src/history/four-eyes-operations.rules.ts'
import { fourEyesWords } from '../../../api/src/history/four-eyes.rules.ts'
import { powersFor } from '../../../api/src/people/token-operations.rules.ts'
import { type OpName, operationId, ops } from '../../../api/src/registry.ts'
import { kindsCreatedBy } from '../../../api/src/tags/created-tags.rules.ts'
import { demandableKinds } from '../../../api/src/tags/tag-demand.rules.ts'
import type { DocNode } from '../../src/features/docs/document.ts'

interface Fact {
  name: string
  value: DocNode
}

const names = new Map(Object.keys(ops).map((name) => [operationId(name), name as OpName]))

/**
 * What the contract says of when an operation is refused, by its id. What any request is refused for is on the page of the
 * API.
 */
export function refusalFacts(id: string): Fact[] {
  const name = names.get(id)
  if (name === undefined) return []
  const op = ops[name]
  const powers = powersFor(name, op)
  const eyes = fourEyesOf(name)
  return [
    ...(op.anonymous ? [] : [{ name: 'A token needs', value: tokenWords(powers) }]),
    ...(op.conditional ? [{ name: 'Version', value: outdated }] : []),
    ...(eyes ? [{ name: 'Second person', value: secondPerson(fourEyesWords[eyes]) }] : []),
    ...(isDemanded(name) ? [{ name: 'Tags', value: untagged }] : []),
  ]
}

/** As the server asks it: of the object itself, and not of what is created with it. */
function isDemanded(name: OpName): boolean {
  const [kind] = kindsCreatedBy(name) ?? []
  return demandableKinds.some((demandable) => demandable === kind)
}

const tokenWords = (powers: readonly string[] | undefined): DocNode => {
  const scope: DocNode = ['a', { href: '/docs/access-tokens#scope' }, 'scope']
  if (powers === undefined) return ['span', null, 'to be without a ', scope]
  const list = powers.flatMap((power, at): DocNode[] => [
    ...(at === 0 ? [] : [at === powers.length - 1 ? ' and ' : ', ']),
    ['code', null, power],
  ])
  return ['span', null, ...list, ' in its ', scope]
}

const outdated: DocNode = [
  'span',
  null,
  'refused with 412 if it has an ',
  ['a', { href: '/docs/api#create-change-and-delete' }, ['code', null, 'If-Match']],
  ' and the object has changed since',
]

const secondPerson = (words: string): DocNode => [
  'span',
  null,
  'refused with 400 where the silo demands ',
  ['a', { href: '/docs/history#four-eyes' }, 'four eyes'],
  ` for ${words}, unless a saved plan carries it out`,
]

const untagged: DocNode = [
  'span',
  null,
  'refused with 400 without ',
  ['a', { href: '/docs/tags' }, 'tags'],
  ' that the silo demands',
]
