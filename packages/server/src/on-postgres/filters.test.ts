import { fieldsOf, filteredKinds, listKinds, ofProjectKinds } from '@gantry/api/filter/list-kinds.rules'
import { eventually, said, testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: filters on PostgreSQL, ${postgres.missing}`)

describe.skipIf(!here)('filters on PostgreSQL', () => {
  afterAll(() => here?.stop())

  test('every field of every kind is compared, summed up, suggested and sorted by', async () => {
    if (!here) return
    const { dialect } = await openDatabase({ url: await here.newDatabase() })
    const bed = await testControlPlane({ dialect })
    const me = await bed.signIn('admin')
    const disk = { description: '', size: 2 ** 30, disk_source: { type: 'blank', block_size: 512 } }
    const ids: string[] = []
    for (const name of ['one', 'two'])
      ids.push((await me.post('/v1/disks?project=playground', { ...disk, name })).body.id)

    const statuses = new Set<string>()
    const ask = async (path: string, query: Record<string, string>): Promise<void> =>
      void statuses.add(said(await me.get(`/ext/v1/${path}?${String(new URLSearchParams(query))}`)))
    for (const kind of filteredKinds)
      for (const [field, { example, sortsAs, isSuggested, canLack }] of Object.entries(fieldsOf(kind))) {
        const filters = [example, `-${example}`, `(web or ${example})`]
        if (sortsAs !== undefined) filters.push(`sort:-${field}`)
        if (canLack) filters.push(`${field}:none`)
        for (const filter of filters) await ask(listKinds[kind].path, { filter })
        await ask('list-totals', { kind, filter: example })
        if (isSuggested) await ask('list-values', { kind, field })
      }
    for (const kind of ofProjectKinds) await ask('list-details', { kind, id: ids[0] ?? '' })
    expect([...statuses]).toEqual(['200'])

    const deletion = { kind: 'disk', filter: 'name:one,two', at_most: 2 }
    const { body } = await me.post('/ext/v1/bulk-deletions?project=playground', deletion)
    const done = await eventually(
      () => me.get(`/ext/v1/bulk-deletions/${body.id}`),
      (answer) => answer.body.state === 'done',
    )
    expect(done.body.items.map(({ state }: { state: string }) => state)).toEqual(['done', 'done'])
    await bed.stop()
  })
})
