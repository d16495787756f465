import { expect, test } from 'vitest'
import { markedTables } from '../work/deleted-rows.ts'
import { outsideChanges } from './outside.ts'

const sources = import.meta.glob<string>(
  [
    '../**/*.ts',
    '!../**/*.{test,cases,fixtures,gen}.ts',
    '!../{db,testing}/**',
    '!./{change,tags}.ts',
    '!../work/lease.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
)

/** Of a change: its handles of tables without records. */
const isOfChange = (handle: string): boolean => /(^|\.)(plain|roles)$/.test(handle)
const objects = new Set<string>(markedTables)

/** Tables that a file writes outside of a change, or whose objects it writes without a record. */
function* written(text: string): Generator<string> {
  for (const [, handle = '', table = ''] of text.matchAll(
    /([\w.)]+)\s*\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(([^)]*)\)/g,
  ))
    if (!isOfChange(handle)) yield table.replaceAll("'", '')
  for (const [, statement = '', handle = ''] of text.matchAll(
    /sql(?:<[^`]*?>)?`((?:[^`\\]|\\.)*)`(?:\.execute\(\s*([\w.]+))?/g,
  ))
    for (const [, table = ''] of statement.matchAll(
      /\b(?:INSERT INTO|DELETE FROM|(?<!FOR |FOR NO KEY |DO )UPDATE)\s+(\$\{[^}]*\}|\w+)/g,
    ))
      if (!isOfChange(handle) || objects.has(table)) yield table
  for (const [, table = ''] of text.matchAll(/new (?:Renewed)?Lease\(\s*'(\w+)'/g)) yield table
}

test('only what is listed is written outside of a change, and all of that is', () => {
  const found = new Set(Object.values(sources).flatMap((text) => [...written(text)]))
  expect([...found].toSorted()).toEqual(Object.keys(outsideChanges).toSorted())
})

test.each([
  ["await db.updateTable('disk')", ['disk']],
  ["services.db\n    .deleteFrom('disk')", ['disk']],
  ["tx.plain.insertInto('vmm')", []],
  ["(await tx.roles)\n.insertInto('role_assignment')", ['role_assignment']],
  ['sql`SELECT 1 FROM disk FOR UPDATE`.execute(db)', []],
  [
    'sql`INSERT INTO counter (name) VALUES (1) ON CONFLICT (name) DO UPDATE SET value = 1`.execute(db)',
    ['counter'],
  ],
  ['sql<{ id: string }>`WITH a AS (DELETE FROM disk) UPDATE vmm SET a = 1`.execute(tx.plain)', ['disk']],
  ['const statement = sql`UPDATE vmm SET a = 1`', ['vmm']],
  ["const lease = new Lease('job', {", ['job']],
])('in %j are found: %j', (text, tables) => {
  expect([...written(text)]).toEqual(tables)
})
