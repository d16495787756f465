// Which file may import which: one table for the console's layers, and rules for every package.
import path from 'node:path'

const console = 'packages/console/src/'
/** Connects features to the shell, whose other files import no feature. */
const shellRegistry = `${console}shell/registry.tsx`

/**
 * The areas that each area of the console may import. Files outside the areas, such as `main.tsx`, assemble
 * the application and may import anything.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const mayImport = {
  'store.ts': [],
  ui: ['store.ts'],
  data: ['store.ts'],
  kit: ['store.ts', 'ui', 'data'],
  features: ['store.ts', 'ui', 'data', 'kit', 'features'],
  shell: ['store.ts', 'ui', 'data', 'kit', 'routeTree.gen.ts'],
  routes: ['store.ts', 'ui', 'data', 'kit', 'features', 'shell'],
  preview: ['store.ts', 'ui', 'data'],
  'sign-in': ['store.ts', 'ui', 'data', 'kit', 'features', 'shell', 'preview'],
}

/**
 * The file that a specifier names, from the repository's root; undefined for a library.
 * @param {string} from The importing file, from the repository's root.
 * @param {string} specifier
 */
export function importedFile(from, specifier) {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier)
  if (specifier.startsWith('#/') && from.startsWith(console)) return console + specifier.slice(2)
  if (specifier.startsWith('#src/')) return `packages/server/src/${specifier.slice(5)}.ts`
  const [, name, rest] = /^@gantry\/([\w-]+)\/(.+)$/.exec(specifier) ?? []
  return name && `packages/${name}/src/${rest}.ts`
}

/**
 * A feature of the console or a folder beside the features; undefined outside the console.
 * @param {string} file
 */
function areaOf(file) {
  if (!file.startsWith(console)) return undefined
  const [first = '', second] = file.slice(console.length).split('/')
  return first === 'features' ? `features/${second}` : first
}

const controlPlane = 'packages/control-plane/src/'
/**
 * The floors of the control plane, from the ground up: a folder imports its own floor and those below. Folders that are
 * not named here stand on the ground.
 */
const floors = [
  ['lookup'],
  ['change'],
  ['work', 'list', 'stream'],
  ['pipeline'],
  ['modules', 'fleet/simulated'],
  ['seed'],
  ['app.ts', 'background.ts'],
]

/** @param {string} file */
function floorOf(file) {
  const rest = file.slice(controlPlane.length)
  // A description of kinds, from which the settings derive limits.
  if (rest === 'lookup/kinds.ts') return { level: 0, name: rest }
  const floor = floors.findIndex((folders) =>
    folders.some((folder) => rest === folder || rest.startsWith(`${folder}/`)),
  )
  return floor === -1
    ? { level: 0, name: rest.split('/', 1)[0] }
    : { level: floor + 1, name: floors[floor]?.join(', ') }
}

/**
 * @param {string} from
 * @param {string} to
 */
function floorProblem(from, to) {
  if (!from.startsWith(controlPlane) || !to.startsWith(controlPlane)) return undefined
  if (isTest(from) || from.startsWith(`${controlPlane}testing/`)) return undefined
  const [own, other] = [floorOf(from), floorOf(to)]
  if (other.level <= own.level) return undefined
  return `${own.name} may not import ${other.name}, which builds on it (tools/lint/walls.mjs).`
}

/** Parts of a feature that other features are below: they show what those have. */
const parts = ['features/instances/create', 'features/instances/page']

/**
 * The area, or the part of a feature, that a file belongs to.
 * @param {string} file
 */
export const partOf = (file) => parts.find((part) => file.startsWith(`${console}${part}/`)) ?? areaOf(file)

/** @param {string} area */
const layerOf = (area) => (area.startsWith('features/') ? 'features' : area)

/**
 * Test-only files are `*.fixtures.ts` beside the tests that use them, the cases of operations in `*.cases.ts`, or are in
 * a `testing` folder.
 * @param {string} file
 */
const isTestOnly = (file) => /\.(test|fixtures|cases)\.tsx?$|\/testing\//.test(file)
/** @param {string} file */
const isTest = (file) => isTestOnly(file) || !file.startsWith('packages/')

/**
 * Why one file may not import another, as a sentence; undefined if it may.
 * @param {string} from The importing file, from the repository's root.
 * @param {string} specifier The import's text.
 * @returns {string | undefined}
 */
export function wallProblem(from, specifier) {
  const to = importedFile(from, specifier)
  if (!to) return undefined
  if (from.startsWith('packages/') && specifier.startsWith('../../../'))
    return 'Imports climb at most two levels.'
  if (isTestOnly(to) && !isTest(from)) return 'Only tests import test-only code.'
  const floor = floorProblem(from, to)
  if (floor) return floor
  const [own, other] = [areaOf(from), areaOf(to)]
  const allowed = own && mayImport[layerOf(own)]
  if (!allowed || !other) return undefined
  if (own === other) return specifier.startsWith('#/') ? `Imports within ${own} are relative.` : undefined
  if (specifier.startsWith('.')) return `Relative imports stay within ${own}: use #/.`
  if (from === shellRegistry || allowed.includes(layerOf(other))) return undefined
  if (own === 'shell' && layerOf(other) === 'features')
    return 'The shell imports features in shell/registry.tsx only.'
  return `${own} may not import ${other} (tools/lint/walls.mjs).`
}
