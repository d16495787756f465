import { ScimRefusal } from '../../pipeline/scim.ts'
import {
  attributeName,
  attributesOf,
  fold,
  invalidSyntax,
  invalidValue,
  isJson,
  readActive,
  readExternalId,
  readName,
  urn,
} from './attributes.ts'
import { unquoted } from './filter.ts'

/*
 * Bodies of PATCH (RFC 7644, 3.5.2) as identity providers send them: operations in any case of letters, a boolean as a
 * string, one member without a list, values with or without a path. What they know of users and this platform does not,
 * such as addresses and phone numbers, is skipped.
 */

interface Operation {
  op: 'add' | 'replace' | 'remove'
  path: string | undefined
  value: unknown
}

const withoutPath = 'The value of an operation without a path'
const operationsMax = 1000
const pathMax = 512

function readOperations(body: unknown): Operation[] {
  const given = attributesOf(body)
  const schemas = given.get('schemas')
  if (!Array.isArray(schemas) || schemas.length !== 1 || schemas[0] !== urn.patch)
    throw invalidSyntax(`The attribute schemas must be ["${urn.patch}"].`)
  const operations: unknown = given.get('operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('The attribute Operations must be a list of at least one operation.')
  if (operations.length > operationsMax)
    throw invalidValue(`A request may have at most ${operationsMax} operations.`)
  return operations.map(readOperation)
}

function readOperation(given: unknown): Operation {
  const attributes = attributesOf(given, 'Each operation')
  const [op, path] = [attributes.get('op'), attributes.get('path')]
  const name = typeof op === 'string' ? fold(op) : ''
  if (name !== 'add' && name !== 'replace' && name !== 'remove')
    throw invalidSyntax('Each operation needs an op: add, replace or remove.')
  const value = attributes.get('value')
  if (path === undefined || path === null || path === '') {
    if (name === 'remove') throw new ScimRefusal(400, 'noTarget', 'The operation remove needs a path.')
    return { op: name, path: undefined, value }
  }
  if (typeof path !== 'string' || path.length > pathMax || !isPath.test(path))
    throw new ScimRefusal(400, 'invalidPath', 'The path of an operation must name an attribute.')
  return { op: name, path: attributeName(path), value }
}

/** An attribute, perhaps those of its values that a filter selects, and perhaps a part of them. */
const isPath = /^[\w$:.-]+(\[.*\])?(\.[\w$-]+)?$/s

/** What a request sets of a user. */
export interface UserEdit {
  userName?: string
  active?: boolean
  externalId?: string | null
}

export function readUserPatch(body: unknown): UserEdit {
  const edit: UserEdit = {}
  for (const { op, path, value } of readOperations(body)) {
    if (path !== undefined) setOfUser(edit, path, op === 'remove' ? null : value, op === 'remove')
    else for (const [name, one] of attributesOf(value, withoutPath)) setOfUser(edit, name, one, false)
  }
  return edit
}

function setOfUser(edit: UserEdit, name: string, value: unknown, isRemoved: boolean): void {
  if (name === 'username') edit.userName = readName('userName', value)
  else if (name === 'externalid') edit.externalId = readExternalId(value)
  else if (name === 'active') {
    if (isRemoved) throw invalidValue('The attribute active cannot be removed. Replace it by true or false.')
    edit.active = readActive(value)
  }
}

/** A step of what happens to the members of a group, by their ids as given. */
export type MemberStep = { op: 'add' | 'replace' | 'remove'; ids: readonly string[] } | { op: 'clear' }

/** What a request sets of a group. */
export interface GroupEdit {
  displayName?: string
  externalId?: string | null
  members: MemberStep[]
}

/** @param id Of the group; a value that states another one is refused. */
export function readGroupPatch(body: unknown, id: string): GroupEdit {
  const edit: GroupEdit = { members: [] }
  for (const { op, path, value } of readOperations(body)) {
    if (path !== undefined) setOfGroup(edit, op, path, value)
    else
      for (const [name, one] of attributesOf(value, withoutPath)) {
        if (name === 'id' && one !== id)
          throw new ScimRefusal(400, 'mutability', 'The id of a group cannot be changed.')
        setOfGroup(edit, op, name, one)
      }
  }
  return edit
}

const selectedMember = /^members\[\s*value\s+eq\s+("(?:[^"\\]|\\.)*")\s*\]$/i

function setOfGroup(edit: GroupEdit, op: Operation['op'], name: string, value: unknown): void {
  if (name === 'displayname') edit.displayName = readName('displayName', op === 'remove' ? null : value)
  else if (name === 'externalid') edit.externalId = readExternalId(op === 'remove' ? null : value)
  else if (name === 'members') edit.members.push(memberStep(op, value))
  else if (name.startsWith('members')) {
    const id = unquoted(selectedMember.exec(name)?.[1] ?? '')
    if (op !== 'remove' || id === undefined)
      throw new ScimRefusal(
        400,
        'invalidPath',
        'Of a group, members can be added, replaced and removed, one of them by the path members[value eq "id"].',
      )
    edit.members.push({ op: 'remove', ids: [id] })
  }
}

function memberStep(op: Operation['op'], value: unknown): MemberStep {
  if (value === undefined || value === null) {
    if (op === 'add') throw invalidSyntax('The operation add needs the members to add as its value.')
    return { op: 'clear' }
  }
  return { op, ids: readMembers(value) }
}

/** The ids of members, each of which is a user. Duplicates count once. */
export function readMembers(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const members: readonly unknown[] = Array.isArray(value) ? value : [value]
  const ids = members.map((member) => {
    if (typeof member === 'string') return member
    const id = isJson(member) ? attributesOf(member).get('value') : undefined
    if (typeof id !== 'string') throw invalidSyntax('Each member needs the id of a user as its value.')
    const type = attributesOf(member).get('type')
    if (typeof type === 'string' && fold(type) === 'group')
      throw invalidValue('A group cannot be a member of a group. Send the users who are its members.')
    return id
  })
  return [...new Set(ids)]
}
