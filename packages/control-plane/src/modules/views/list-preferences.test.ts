import { listPreferenceLimits } from '@gantry/api/views/list-preference.rules'
import { expect } from 'vitest'
import { test } from '../../testing/bed.ts'

const at = '/ext/v1/me/list-preferences'
const state = { id: 'state', is_shown: true, width: 200 }
const untouched = { columns: [], is_dense: false, page_size: 50, views: [], shared_views: [] }

test('preferences of lists are kept for each user, and each list by itself', async ({ bed }) => {
  const [member, viewer] = [await bed.signIn('member'), await bed.signIn('viewer')]
  const put = (list: string, body: object) => member.call('PUT', `${at}/${list}`, body)
  expect((await member.get(at)).body).toEqual({ items: [] })
  expect((await put('instances', { columns: [state] })).body).toEqual({
    ...untouched,
    list: 'instances',
    columns: [state],
  })
  // Two devices at once, at two lists and at two properties of one.
  await Promise.all([
    put('disks', { page_size: 25 }),
    put('instances', { is_dense: true }),
    put('instances', { page_size: 100 }),
  ])
  expect((await member.get(at)).body.items).toEqual([
    { ...untouched, list: 'disks', page_size: 25 },
    { list: 'instances', columns: [state], is_dense: true, page_size: 100, views: [], shared_views: [] },
  ])
  expect((await viewer.get(at)).body.items).toEqual([])
  // What a list has by default needs no row.
  await put('disks', { page_size: 50 })
  await put('instances', untouched)
  expect((await member.get(at)).body.items).toEqual([])
})

test('preferences are bounded in size and number', async ({ bed }) => {
  const person = await bed.addUser('collector')
  const put = (list: string, body: object) => person.call('PUT', `${at}/${list}`, body)
  const { lists, columns, widthMax } = listPreferenceLimits
  const refused = async (list: string, body: object) => {
    const { status, body: answer } = await put(list, body)
    expect(status).toBe(400)
    return answer.message as string
  }
  await refused('a%20b', {})
  expect(await refused('disks', { columns: [{ ...state, id: 'a b' }] })).toContain('letters, digits, dashes')
  expect(await refused('disks', { columns: [{ ...state, width: widthMax + 1 }] })).toContain('width')
  expect(await refused('disks', { page_size: 0 })).toContain('page_size')
  await refused('disks', { columns: Array.from({ length: columns + 1 }, () => state) })
  const rows = Array.from({ length: lists }, (_, index) => ({
    silo_user_id: person.id,
    list: `list-${index}`,
    columns: '[]',
    views: '[]',
    is_dense: true,
    page_size: 50,
  }))
  await bed.db.insertInto('list_preference').values(rows).execute()
  expect(await refused('disks', { is_dense: true })).toContain('which is the limit')
  expect((await put('list-0', { is_dense: false })).status).toBe(200)
  expect((await put('disks', { is_dense: true })).status).toBe(200)
})

test('saved views of a list have names of their own, and one default', async ({ bed }) => {
  const member = await bed.signIn('member')
  const put = (views: object[]) => member.call('PUT', `${at}/snapshots`, { views })
  const view = (name: string, more: object = {}) => ({
    name,
    filter: 'state:failed created>90d',
    sort: '-created',
    columns: [state],
    is_pinned: false,
    is_default: false,
    ...more,
  })
  const both = [view('Failed in prod', { is_pinned: true }), view('Old', { is_default: true })]
  expect((await put(both)).body).toEqual({ ...untouched, list: 'snapshots', views: both })
  expect((await member.get(at)).body.items[0].views).toEqual(both)
  const refusal = async (...views: object[]) => (await put(views)).body.message as string
  expect(await refusal(view('Old'), view('old'))).toContain('There is a view "old" already')
  expect(await refusal(view(' '))).toContain('Give the view a name.')
  expect(await refusal(view('x'.repeat(64)))).toContain('63')
  expect(await refusal(view('a', { is_default: true }), view('b', { is_default: true }))).toContain(
    'only one',
  )
  // What a list cannot read is kept: the list says what is wrong with it.
  expect((await put([view('Broken', { filter: 'state:' })])).status).toBe(200)
  await put([])
  expect((await member.get(at)).body.items).toEqual([])
})

test('preferences go with their user', async ({ bed }) => {
  const admin = await bed.signIn('admin')
  const person = await bed.addUser('leaver')
  await person.call('PUT', `${at}/disks`, { is_dense: true })
  const path = `/v1/system/identity-providers/local/users/${person.id}?silo=demo`
  expect((await admin.call('DELETE', path)).status).toBe(204)
  const left = bed.db.selectFrom('list_preference').selectAll().where('silo_user_id', '=', person.id)
  expect(await left.execute()).toEqual([])
})
