import { expect, test } from 'vitest'
import { migrations } from './db/migrations/migrations.gen.ts'

test('the list of migrations matches the folder, in numeric order (else: npm run generate)', () => {
  const files = import.meta.glob<string>('./db/migrations/[0-9]*.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const ids = Object.keys(files)
    .sort()
    .map((file) => /id: '([^']+)'/.exec(files[file] ?? '')?.[1])
  expect(migrations.map(({ id }) => id)).toEqual(ids)
})

/** The files that generated lists import. */
const listedIn = (lists: Record<string, string>): string[] =>
  [
    ...Object.values(lists)
      .join()
      .matchAll(/from '(.*)'/g),
  ].map(([, file]) => file ?? '')

test('the list of handlers matches the modules (else: npm run generate)', () => {
  const modules = import.meta.glob<string>('./modules/**/http.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const lists = import.meta.glob<string>('./modules/handlers.gen.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  expect(listedIn(lists).sort()).toEqual(
    Object.keys(modules)
      .map((file) => file.replace('./modules/', './'))
      .sort(),
  )
})

test('the list of cases matches the modules (else: npm run generate)', () => {
  const files = Object.keys(
    import.meta.glob<string>('./modules/**/*.cases.ts', { query: '?raw', import: 'default', eager: true }),
  )
  const lists = import.meta.glob<string>('./testing/cases.gen.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  expect(listedIn(lists).sort()).toEqual(files.map((file) => file.replace('./', '../')).sort())
})
