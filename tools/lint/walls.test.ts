import { expect, test } from 'vitest'
import { featureGraph } from './feature-circles.mjs'
import { wallProblem } from './walls.mjs'

const inConsole = (file: string) => `packages/console/src/${file}`

test.each([
  ['ui/Button.tsx', './Spinner.tsx'],
  ['ui/overlays/toast.ts', '#/store.ts'],
  ['features/disks/DiskForm.tsx', '#/kit/forms/fields.tsx'],
  ['features/disks/DiskForm.tsx', '#/features/images/queries.ts'],
  ['features/images/upload/task.ts', '../queries.ts'],
  ['shell/registry.tsx', '#/features/images/queries.ts'],
  ['routes/_console/route.tsx', '#/shell/parts.tsx'],
  ['main.tsx', './sign-in/open.tsx'],
  ['features/disks/DiskForm.tsx', 'react'],
])('%s may import %s', (from, specifier) => expect(wallProblem(inConsole(from), specifier)).toBeUndefined())

test.each([
  ['ui/Button.tsx', '#/data/client.ts', 'ui may not import data'],
  ['data/client.ts', '#/ui/toast.ts', 'data may not import ui'],
  ['store.ts', '#/data/client.ts', 'store.ts may not import data'],
  ['data/client.ts', '#/shell/crumbs.ts', 'data may not import shell'],
  ['kit/list/foot.tsx', '#/features/disks/queries.ts', 'kit may not import features/disks'],
  ['features/disks/queries.ts', '#/shell/crumbs.ts', 'features/disks may not import shell'],
  ['shell/Frame.tsx', '#/features/disks/queries.ts', 'in shell/registry.tsx only'],
  ['shell/Frame.tsx', '#/routes/__root.tsx', 'shell may not import routes'],
  ['features/disks/queries.ts', '../images/queries.ts', 'stay within features/disks'],
  ['features/disks/queries.ts', '#/features/disks/rules.ts', 'within features/disks are relative'],
  ['routes/_console/projects/$project/index.tsx', '../../../__root.tsx', 'climb at most two levels'],
  ['features/disks/rules.ts', './disks.fixtures.ts', 'Only tests'],
])('%s may not import %s', (from, specifier, problem) =>
  expect(wallProblem(inConsole(from), specifier)).toContain(problem),
)

test.each([
  ['packages/server/src/log.ts', './testing/backups.ts', 'Only tests'],
  ['packages/control-plane/src/modules/storage/http.ts', './disk.cases.ts', 'Only tests'],
  ['packages/preview/src/plane.ts', '@gantry/control-plane/testing/services', 'Only tests'],
  ['packages/control-plane/src/modules/a/b/c.ts', '../../../context/cx.ts', 'two levels'],
  ['packages/control-plane/src/context/cx.ts', '../lookup/need.ts', 'may not import lookup'],
  ['packages/control-plane/src/lookup/need.ts', '../change/change.ts', 'lookup may not import change'],
  ['packages/control-plane/src/pipeline/answer.ts', '../modules/registry.ts', 'may not import modules'],
])('%s may not import %s either', (from, specifier, problem) =>
  expect(wallProblem(from, specifier)).toContain(problem),
)

test.each([
  ['packages/server/src/log.test.ts', './testing/backups.ts'],
  ['packages/control-plane/src/modules/a/http.ts', '../../pipeline/implement.ts'],
  ['packages/control-plane/src/stream/stream.ts', '../work/loop.ts'],
  ['packages/control-plane/src/lookup/need.test.ts', '../app.ts'],
  ['gates/backup.gate.ts', '@gantry/control-plane/testing/services'],
])('%s may import %s', (from, specifier) => expect(wallProblem(from, specifier)).toBeUndefined())

test('a feature reaches the imports of the features it imports', () => {
  const source = (feature: string, ...imported: string[]) => ({
    file: inConsole(`features/${feature}/queries.ts`),
    text: imported.map((each) => `import { a } from '#/features/${each}/queries.ts'\n`).join(''),
  })
  const graph = featureGraph([
    source('a', 'b'),
    source('b', 'c'),
    source('c', 'a'),
    source('d', 'a'),
    source('e'),
  ])
  const reached = (feature: string) => [...(graph.get(`features/${feature}`) ?? [])].sort()
  expect(reached('a')).toEqual(['features/a', 'features/b', 'features/c'])
  expect(reached('d')).toEqual(['features/a', 'features/b', 'features/c'])
  expect(reached('e')).toEqual([])
})

test('a part of a feature is a layer of its own', () => {
  const [page, queries] = ['page/Card.tsx', 'queries.ts'].map((file) =>
    inConsole(`features/instances/${file}`),
  )
  const graph = featureGraph([
    { file: page ?? '', text: "import { a } from '#/features/disks/queries.ts'\n" },
    {
      file: inConsole('features/disks/queries.ts'),
      text: "import { a } from '#/features/instances/queries.ts'\n",
    },
    { file: queries ?? '', text: '' },
  ])
  expect([...(graph.get('features/instances/page') ?? [])]).toEqual(['features/disks', 'features/instances'])
  expect([...(graph.get('features/instances') ?? [])]).toEqual([])
})
