import type { Cx } from '../../context/cx.ts'
import { headersOf } from '../../pipeline/answer.ts'
import { MethodNotAllowed } from '../../pipeline/router.ts'
import { scimBodyMax, scimMediaType, ScimRefusal } from '../../pipeline/scim.ts'
import { readJson } from '../../parse/parse.ts'
import { itemsIn } from '../../parse/oversize.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './about.ts'
import { fold, invalidSyntax, urn } from './attributes.ts'
import { createGroup, deleteGroup, listGroups, patchGroup, replaceGroup, viewGroup } from './groups.ts'
import { shownAttributes } from './lists.ts'
import { namesVersion, type Resource } from './resources.ts'
import { createUser, deleteUser, listUsers, patchUser, replaceUser, viewUser } from './users.ts'

interface Asked {
  cx: Cx
  request: Request
  search: URLSearchParams
  /** The last part of the path. */
  id: string
}

interface Endpoint {
  /** Its name in the audit log. */
  operation: string
  answer: (asked: Asked) => Promise<Response> | Response
}

const usersAt: Readonly<Record<string, Endpoint>> = {
  GET: {
    operation: 'scim_v2_list_users',
    answer: async ({ cx, search }) => sent(cx, 200, await listUsers(cx, search)),
  },
  POST: {
    operation: 'scim_v2_create_user',
    answer: async (asked) => created(asked, await createUser(asked.cx, await bodyOf(asked))),
  },
}
const userAt: Readonly<Record<string, Endpoint>> = {
  GET: {
    operation: 'scim_v2_get_user_by_id',
    answer: async (asked) => shown(asked, await viewUser(asked.cx, asked.id)),
  },
  PUT: {
    operation: 'scim_v2_replace_user',
    answer: async (asked) => shown(asked, await replaceUser(asked.cx, asked.id, await bodyOf(asked))),
  },
  PATCH: {
    operation: 'scim_v2_patch_user',
    answer: async (asked) => shown(asked, await patchUser(asked.cx, asked.id, await bodyOf(asked))),
  },
  DELETE: {
    operation: 'scim_v2_delete_user',
    answer: async ({ cx, id }) => sent(cx, 204, await deleteUser(cx, id)),
  },
}
const groupsAt: Readonly<Record<string, Endpoint>> = {
  GET: {
    operation: 'scim_v2_list_groups',
    answer: async ({ cx, search }) => sent(cx, 200, await listGroups(cx, search)),
  },
  POST: {
    operation: 'scim_v2_create_group',
    answer: async (asked) => created(asked, await createGroup(asked.cx, await bodyOf(asked))),
  },
}
const groupAt: Readonly<Record<string, Endpoint>> = {
  GET: {
    operation: 'scim_v2_get_group_by_id',
    answer: async (asked) =>
      shown(asked, await viewGroup(asked.cx, asked.id, shownAttributes(asked.search).has('members'))),
  },
  PUT: {
    operation: 'scim_v2_replace_group',
    answer: async (asked) => shown(asked, await replaceGroup(asked.cx, asked.id, await bodyOf(asked))),
  },
  PATCH: {
    operation: 'scim_v2_patch_group',
    answer: async (asked) => shown(asked, await patchGroup(asked.cx, asked.id, await bodyOf(asked))),
  },
  DELETE: {
    operation: 'scim_v2_delete_group',
    answer: async ({ cx, id }) => sent(cx, 204, await deleteGroup(cx, id)),
  },
}
const aboutAt = (operation: string, answer: Endpoint['answer']): Readonly<Record<string, Endpoint>> => ({
  GET: { operation, answer },
})

/** By the first part of a path below `/scim/v2`, then by whether another one follows. */
const endpoints: Readonly<Record<string, [all: Record<string, Endpoint>, one?: Record<string, Endpoint>]>> = {
  users: [usersAt, userAt],
  groups: [groupsAt, groupAt],
  serviceproviderconfig: [
    aboutAt('scim_v2_service_provider_config', ({ cx }) => sent(cx, 200, serviceProviderConfig(cx))),
  ],
  resourcetypes: [
    aboutAt('scim_v2_list_resource_types', ({ cx }) => sent(cx, 200, listOf(resourceTypes(cx)))),
    aboutAt('scim_v2_get_resource_type', ({ cx, id }) => sent(cx, 200, oneOf(resourceTypes(cx), id))),
  ],
  schemas: [
    aboutAt('scim_v2_list_schemas', ({ cx }) => sent(cx, 200, listOf(schemas(cx)))),
    aboutAt('scim_v2_get_schema', ({ cx, id }) => sent(cx, 200, oneOf(schemas(cx), id))),
  ],
}

/** Parts of the protocol that are optional and not offered. */
const notOffered: ReadonlySet<string> = new Set(['me', 'bulk', '.search'])

/** Answers a request of an authenticated identity provider. */
export async function scimRequest(cx: Cx, request: Request, url: URL): Promise<Response> {
  const [, version, name = '', id = '', ...more] = url.pathname.split('/').filter((part) => part !== '')
  const kind = fold(name)
  if (version !== 'v2') throw unknownPath()
  if (notOffered.has(kind) || fold(id) === '.search')
    throw new ScimRefusal(501, undefined, 'This part of SCIM is not supported.')
  const endpoint = Object.hasOwn(endpoints, kind) ? endpoints[kind]?.[id === '' ? 0 : 1] : undefined
  if (!endpoint || more.length > 0) throw unknownPath()
  const found = Object.hasOwn(endpoint, request.method) ? endpoint[request.method] : undefined
  if (!found) throw new MethodNotAllowed(Object.keys(endpoint))
  cx.request.operation = found.operation
  return found.answer({ cx, request, search: url.searchParams, id: decoded(id) })
}

const unknownPath = () =>
  new ScimRefusal(404, undefined, 'There is nothing at this path. Users are at /scim/v2/Users.')

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalidSyntax('The path could not be decoded.')
  }
}

/** JSON of any kind. Without a content type, it is taken to be that. */
async function bodyOf({ cx, request }: Asked): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type && !/^application\/([\w.-]+\+)?json$/.test(type))
    throw new ScimRefusal(415, undefined, `Send the body as ${scimMediaType}.`)
  const { input } = await readJson(request, scimBodyMax)
  cx.charge(itemsIn(input))
  return input
}

const listOf = (resources: readonly object[]) => ({
  schemas: [urn.list],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
})

function oneOf<One extends { id: string }>(all: readonly One[], id: string): One {
  const found = all.find((one) => fold(one.id) === fold(id))
  if (!found) throw new ScimRefusal(404, undefined, `There is nothing with the id "${id}".`)
  return found
}

function created(asked: Asked, resource: Resource & { meta: { location: string } }): Response {
  const response = shown(asked, resource, 201)
  response.headers.set('location', resource.meta.location)
  return response
}

/** A resource with its ETag; nothing if the client has this version already. */
function shown({ cx, request, search }: Asked, resource: Resource, status = 200): Response {
  const { version } = resource.meta
  const isKnown = request.method === 'GET' && namesVersion(request.headers.get('if-none-match'), version)
  const response = isKnown ? sent(cx, 304) : sent(cx, status, shownAttributes(search).of(resource))
  response.headers.set('etag', version)
  return response
}

function sent(cx: Cx, status: number, body?: unknown): Response {
  const headers = headersOf(cx)
  headers.set('content-type', scimMediaType)
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
}
