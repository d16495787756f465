import type { Cx } from '../../context/cx.ts'
import { urn } from './attributes.ts'
import { pageMax } from './lists.ts'
import { locationOf } from './resources.ts'

/* What clients read about this service itself (RFC 7644, 4, and RFC 7643, 5 to 7). */

export const serviceProviderConfig = (cx: Cx) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: pageMax },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token of the silo, in the header Authorization.',
      primary: true,
    },
  ],
  meta: {
    resourceType: 'ServiceProviderConfig',
    location: locationOf(cx, 'ServiceProviderConfig'),
  },
})

export const resourceTypes = (cx: Cx) =>
  (
    [
      ['User', urn.user, 'Users of the silo'],
      ['Group', urn.group, 'Groups of the silo'],
    ] as const
  ).map(([id, schema, description]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id,
    name: id,
    endpoint: `/${id}s`,
    description,
    schema,
    meta: { resourceType: 'ResourceType', location: locationOf(cx, `ResourceTypes/${id}`) },
  }))

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description: '',
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const readOnly = { mutability: 'readOnly' }
const unique = { required: true, uniqueness: 'server' }
const list = (...subAttributes: object[]) => ({ type: 'complex', multiValued: true, subAttributes })

export const schemas = (cx: Cx) =>
  [
    {
      id: urn.user,
      name: 'User',
      description: 'A user, who signs in by SAML with this name',
      attributes: [
        attribute('userName', { ...unique, description: 'The name by which the user signs in' }),
        attribute('active', { type: 'boolean', description: 'Whether the user may sign in' }),
        attribute('groups', {
          ...list(
            attribute('value', { ...readOnly, caseExact: true, description: 'The id of the group' }),
            attribute('display', { ...readOnly, description: 'The name of the group' }),
            attribute('type', { ...readOnly, canonicalValues: ['Direct'] }),
          ),
          ...readOnly,
          description: 'The groups that the user is a member of',
        }),
      ],
    },
    {
      id: urn.group,
      name: 'Group',
      description: 'A group of users, to which roles are given',
      attributes: [
        attribute('displayName', { ...unique, description: 'The name of the group' }),
        attribute('members', {
          ...list(
            attribute('value', { mutability: 'immutable', caseExact: true, description: 'The id of a user' }),
            attribute('type', { mutability: 'immutable', canonicalValues: ['User'] }),
          ),
          description: 'The users who are members of the group',
        }),
      ],
    },
  ].map((schema) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    meta: { resourceType: 'Schema', location: locationOf(cx, `Schemas/${schema.id}`) },
  }))
