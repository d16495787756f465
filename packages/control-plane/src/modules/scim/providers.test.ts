import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestBed } from '../../testing/control-plane.ts'
import { urn } from './attributes.ts'
import { samlSignIn, type ScimCaller, scimControlPlane, scimSilo } from './scim.fixtures.ts'

/* The requests that two identity providers publish as those which they send. */

let bed: TestBed
let okta: ScimCaller
let entra: ScimCaller
beforeAll(async () => {
  bed = await scimControlPlane()
  const operator = await bed.signIn('admin')
  okta = (await scimSilo(bed, operator, 'of-okta')).client
  entra = (await scimSilo(bed, operator, 'of-entra')).client
})
afterAll(() => bed.stop())

const page = (totalResults: number, Resources: unknown[]) =>
  expect.objectContaining({ schemas: [urn.list], totalResults, Resources })

test('Okta creates, finds, changes, deactivates and activates a user', async () => {
  expect((await okta.get('/Users?startIndex=1&count=2')).body).toEqual(page(0, []))
  const byName = `/Users?filter=${encodeURIComponent('userName eq "ada@example.com"')}&startIndex=1&count=100`
  expect((await okta.get(byName)).body).toEqual(page(0, []))
  const created = await okta.call('POST', '/Users', {
    schemas: [urn.user],
    userName: 'ada@example.com',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ primary: true, value: 'ada@example.com', type: 'work' }],
    displayName: 'Ada Lovelace',
    locale: 'en-GB',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  })
  expect(created.status).toBe(201)
  const { id, meta } = created.body
  expect(created.body).toEqual({
    schemas: [urn.user],
    id: expect.any(String),
    userName: 'ada@example.com',
    active: true,
    externalId: '00ujl29u0le5T6Aj10h7',
    meta: {
      resourceType: 'User',
      created: expect.any(String),
      lastModified: expect.any(String),
      version: 'W/"1"',
      location: `http://localhost/scim/v2/Users/${id}`,
    },
  })
  expect(created.headers.get('location')).toBe(meta.location)
  expect(created.headers.get('etag')).toBe('W/"1"')
  expect(created.headers.get('content-type')).toBe('application/scim+json')
  expect((await okta.get(byName)).body).toEqual(page(1, [created.body]))
  expect((await okta.get(`/Users/${id}`)).body).toEqual(created.body)

  const again = await okta.call('POST', '/Users', { schemas: [urn.user], userName: 'ADA@example.com' })
  expect(again.status).toBe(409)
  expect(again.body).toMatchObject({ status: '409', scimType: 'uniqueness' })

  const replaced = await okta.call('PUT', `/Users/${id}`, {
    schemas: [urn.user],
    id,
    userName: 'ada.lovelace@example.com',
    name: { givenName: 'Ada', familyName: 'King' },
    active: true,
    meta: { resourceType: 'User' },
  })
  expect(replaced.body).toMatchObject({ id, userName: 'ada.lovelace@example.com', active: true })
  expect(replaced.body).not.toHaveProperty('externalId')

  expect((await samlSignIn(bed, 'of-okta', 'ada.lovelace@example.com')).status).toBe(303)
  const off = await okta.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
  expect([off.status, off.body.active]).toEqual([200, false])
  expect((await samlSignIn(bed, 'of-okta', 'ada.lovelace@example.com')).status).toBe(401)
  expect((await okta.patch(`/Users/${id}`, { op: 'replace', value: { active: true } })).body.active).toBe(
    true,
  )
  expect((await samlSignIn(bed, 'of-okta', 'Ada.Lovelace@Example.com')).status).toBe(303)
})

test('Okta pushes a group, and changes its members and name', async () => {
  const add = async (userName: string): Promise<string> =>
    (await okta.call('POST', '/Users', { schemas: [urn.user], userName })).body.id
  const [ann, ben, cay] = [await add('ann'), await add('ben'), await add('cay')]
  const { status, body: group } = await okta.call('POST', '/Groups', {
    schemas: [urn.group],
    displayName: 'Engineers',
    members: [],
  })
  expect([status, group.displayName]).toEqual([201, 'Engineers'])
  expect(group).not.toHaveProperty('members')
  const at = `/Groups/${group.id}`
  const members = async () =>
    new Set(((await okta.get(at)).body.members ?? []).map(({ value }: { value: string }) => value))
  await okta.patch(at, {
    op: 'add',
    path: 'members',
    value: [
      { value: ann, display: 'ann' },
      { value: ben, display: 'ben' },
    ],
  })
  expect(await members()).toEqual(new Set([ann, ben]))
  expect((await okta.get(`/Users/${ann}`)).body.groups).toEqual([
    { type: 'Direct', value: group.id, display: 'Engineers' },
  ])
  await okta.patch(
    at,
    { op: 'remove', path: `members[value eq "${ann}"]` },
    { op: 'add', path: 'members', value: [{ value: cay, display: 'cay' }] },
  )
  expect(await members()).toEqual(new Set([ben, cay]))
  await okta.patch(at, { op: 'replace', path: 'members', value: [{ value: ann, display: 'ann' }] })
  expect(await members()).toEqual(new Set([ann]))
  const renamed = await okta.patch(at, {
    op: 'replace',
    value: { id: group.id, displayName: 'Engineering' },
  })
  expect(renamed.body).toMatchObject({ displayName: 'Engineering', members: [{ type: 'User', value: ann }] })
  const put = { schemas: [urn.group], id: group.id, displayName: 'Engineering', members: [{ value: ben }] }
  expect((await okta.call('PUT', at, put)).body.members).toEqual([{ type: 'User', value: ben }])
  expect((await okta.get('/Groups?startIndex=1&count=100')).body.totalResults).toBe(1)
  expect((await okta.call('DELETE', at)).status).toBe(204)
  expect((await okta.get(at)).status).toBe(404)
  expect((await okta.get(`/Users/${ben}`)).body).not.toHaveProperty('groups')
})

test('Microsoft Entra creates, finds, changes, disables and deletes a user', async () => {
  const probe = await entra.get('/Users?filter=userName+eq+%22non-existent%22')
  expect([probe.status, probe.body]).toEqual([200, page(0, [])])
  const { status, body: user } = await entra.call('POST', '/Users', {
    schemas: [urn.user, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName: 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1',
    active: true,
    emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  })
  expect(status).toBe(201)
  const at = `/Users/${user.id}`
  expect((await entra.get(`/Users?filter=externalId eq "${user.externalId}"`)).body).toEqual(page(1, [user]))
  const ignored = await entra.patch(
    at,
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
    { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    {
      op: 'Add',
      path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
      value: 'R&D',
    },
  )
  expect([ignored.status, ignored.body]).toEqual([200, user])
  const name = '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com'
  const several = await entra.patch(
    at,
    { op: 'Replace', path: 'userName', value: name },
    { op: 'Replace', path: 'externalId', value: 'another' },
    { op: 'Add', value: { 'name.givenName': 'Given', displayName: 'Given Family' } },
  )
  expect(several.body).toMatchObject({ userName: name, externalId: 'another', active: true })
  expect((await samlSignIn(bed, 'of-entra', name)).status).toBe(303)
  expect((await entra.patch(at, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false)
  expect((await samlSignIn(bed, 'of-entra', name)).status).toBe(401)
  expect((await entra.patch(at, { op: 'Replace', path: 'active', value: 'True' })).body.active).toBe(true)
  expect((await entra.patch(at, { op: 'Add', path: 'active', value: false })).body.active).toBe(false)
  expect((await entra.call('DELETE', at)).status).toBe(204)
  expect((await entra.get(at)).status).toBe(404)
  // The name is free, and another user, not the old one, has it.
  const anew = await entra.call('POST', '/Users', { schemas: [urn.user], userName: name })
  expect(anew.status).toBe(201)
  expect(anew.body.id).not.toBe(user.id)
})

test('Microsoft Entra creates, finds, renames and deletes a group, and adds and removes members', async () => {
  const displayName = 'displayName'
  const { status, body: group } = await entra.call('POST', '/Groups', {
    schemas: [urn.group, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName,
    meta: { resourceType: 'Group' },
  })
  expect(status).toBe(201)
  const at = `/Groups/${group.id}`
  const { body: user } = await entra.call('POST', '/Users', { schemas: [urn.user], userName: 'dee' })
  const member = { $ref: null, value: user.id }
  const added = await entra.patch(at, { op: 'Add', path: 'members', value: [member] })
  expect(added.body.members).toEqual([{ type: 'User', value: user.id }])
  const { members: _, ...withoutMembers } = added.body
  expect((await entra.get(`${at}?excludedAttributes=members`)).body).toEqual(withoutMembers)
  const found = await entra.get(
    `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`displayName eq "${displayName}"`)}`,
  )
  expect(found.body).toEqual(page(1, [withoutMembers]))
  const renamed = await entra.patch(at, { op: 'Replace', path: 'displayName', value: '1879db59' })
  expect(renamed.body.displayName).toBe('1879db59')
  const removed = await entra.patch(at, { op: 'Remove', path: 'members', value: [member] })
  expect(removed.body).not.toHaveProperty('members')
  expect((await entra.patch(at, { op: 'Remove', path: 'members', value: [member] })).status).toBe(200)
  expect((await entra.call('DELETE', at)).status).toBe(204)
  expect((await entra.get(`/Users/${user.id}`)).status).toBe(200)
})

test('a client learns what the service supports', async () => {
  expect((await okta.get('/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [{ type: 'oauthbearertoken' }],
  })
  const types = (await okta.get('/ResourceTypes')).body
  expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(['/Users', '/Groups'])
  expect((await okta.get('/ResourceTypes/User')).body).toEqual(types.Resources[0])
  const all = (await okta.get('/Schemas')).body
  expect(all.Resources.map(({ id }: { id: string }) => id)).toEqual([urn.user, urn.group])
  expect((await okta.get(`/Schemas/${urn.group}`)).body).toEqual(all.Resources[1])
  expect((await okta.get('/Schemas/nothing')).status).toBe(404)
  expect((await okta.get('/Me')).status).toBe(501)
  expect((await okta.call('POST', '/Bulk', {})).status).toBe(501)
})
