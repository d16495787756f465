import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type OpName, ops } from '../../packages/api/src/registry.ts'

const sources = path.join(import.meta.dirname, '../../packages/console/src')
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|gen)\.tsx?$/.test(file))
  .map((file) => readFileSync(path.join(sources, file), 'utf8'))

/** Operations as `op.diskList`, and those that the sign-in pages import one by one. Unused code fails another check. */
const sent = new Set(
  files.flatMap((text) => [
    ...[...text.matchAll(/\bop\.(\w+)/g)].map(([, name = '']) => name),
    ...[...text.matchAll(/import \{([^}]*)\} from '@gantry\/api\/client\/operations/g)].flatMap(
      ([, names = '']) => names.split(',').map((name) => name.trim()),
    ),
  ]),
)

test('every operation is on a screen, or its `noScreen` says why not', () => {
  const wrong = (Object.keys(ops) as OpName[]).flatMap((name) => {
    const { noScreen } = ops[name]
    if (!noScreen)
      return sent.has(name) ? [] : [`${name} is on no screen: send it from one, or say why not by noScreen`]
    if (sent.has(name)) return [`${name} is on a screen, so its noScreen goes`]
    return 'shownBy' in noScreen && !sent.has(noScreen.shownBy)
      ? [`${noScreen.shownBy}, which shows ${name}, is on no screen`]
      : []
  })
  expect(wrong).toEqual([])
})
