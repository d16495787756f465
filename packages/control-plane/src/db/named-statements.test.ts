import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { namedStatements } from './named-statements.js'

let cluster: PGlite
let run: ReturnType<typeof namedStatements>
beforeAll(async () => {
  cluster = await PGlite.create()
  run = namedStatements(cluster)
  await run('create table thing (id int8 primary key, name text not null)', [])
})
afterAll(() => cluster.close())

const prepared = async (): Promise<string[]> => {
  const { rows } = await cluster.query<{ statement: string }>('select statement from pg_prepared_statements')
  return rows.map(({ statement }) => statement)
}

test('a statement with parameters is prepared once, and one without is not', async () => {
  const insert = 'insert into thing (id, name) values ($1, $2)'
  for (let id = 0; id < 5; id++)
    expect(await run(insert, [id, `n${id}`])).toEqual({ rows: [], command: 'INSERT', rowCount: 1 })
  expect(await run('select count(*) as n from thing', [])).toMatchObject({ rows: [{ n: 5 }] })
  expect(await prepared()).toEqual([insert])
  expect(await run('update thing set name = $1 where id < $2', ['same', 3])).toMatchObject({
    command: 'UPDATE',
    rowCount: 3,
  })
})

test('an error names its cause, and the statement still works afterwards', async () => {
  const insert = 'insert into thing (id, name) values ($1, $2)'
  await expect(run(insert, [1, 'twice'])).rejects.toMatchObject({ code: '23505', severity: 'ERROR' })
  await expect(run(insert, ['not a number', 'x'])).rejects.toMatchObject({ code: '22P02' })
  await expect(run('select $1::text from nowhere', ['x'])).rejects.toMatchObject({ code: '42P01' })
  expect(await run(insert, [100, 'later'])).toMatchObject({ rowCount: 1 })
})

test('a statement returns the columns that its table has now', async () => {
  const read = 'select * from thing where id = $1'
  expect((await run(read, [100])).rows).toEqual([{ id: 100, name: 'later' }])
  await run('alter table thing add column note text', [])
  expect((await run(read, [100])).rows).toEqual([{ id: 100, name: 'later', note: null }])
  await run('begin', [])
  await run('alter table thing drop column note', [])
  expect((await run(read, [100])).rows).toEqual([{ id: 100, name: 'later' }])
  await run('rollback', [])
  await expect(run(read, [100])).resolves.toMatchObject({ rows: [{ note: null }] })
})

test('beyond the limit the least recently used statement is closed, and works again', async () => {
  const nth = (n: number) => `select $1::int8 + ${n} as sum`
  for (let n = 0; n < 310; n++) expect((await run(nth(n), [1])).rows).toEqual([{ sum: n + 1 }])
  const names = await prepared()
  expect(names).toHaveLength(300)
  expect(names).not.toContain(nth(9))
  expect(names).toContain(nth(10))
  expect((await run(nth(0), [1])).rows).toEqual([{ sum: 1 }])
  expect(await prepared()).toHaveLength(300)
})
