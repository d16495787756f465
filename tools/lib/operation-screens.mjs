/**
 * For each operation of the contract, the screens that use it: followed from the route files through the console's
 * top-level declarations, so that a module shared by two pages gives each page only what it takes from it.
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { pagesOf } from './first-loads.mjs'

/**
 * @typedef {{ names: Set<string>, operations: Set<string>, modules: Set<string> }} Uses
 *   What a declaration names: declarations of its file and imports, operations, and modules it loads later.
 * @typedef {{ file: string, name: string }} Target
 * @typedef {{ declarations: Map<string, Uses>, imports: Map<string, Target>, exports: Map<string, string>, effects: Uses }} Module
 */

const operationFiles = /^@gantry\/api\/client\/operations[./]/

/**
 * @param {string} sources The console's sources.
 * @returns {Map<string, string[]>} By the client's name of an operation, the URLs of its screens, nearest first; `*` is
 *   every page.
 */
export function screensOfOperations(sources) {
  const modules = modulesOf(path.join(sources, 'src'))
  const pages = pagesOf(sources)
  /** @type {Map<string, Map<string, number>>} */
  const found = new Map()
  for (const entry of new Set(pages.flatMap((page) => page.modules))) {
    const file = entry.replace(/^src\//, '')
    if (!modules.has(file)) continue
    const url = urlOfEntry(entry, pages)
    for (const [operation, distance] of reachedFrom(file, modules)) {
      const distances = found.get(operation) ?? new Map()
      distances.set(url, Math.min(distance, distances.get(url) ?? Infinity))
      found.set(operation, distances)
    }
  }
  return new Map(
    [...found].map(([operation, distances]) => [
      operation,
      [...distances]
        .sort(([one, near], [other, far]) => near - far || (one < other ? -1 : 1))
        .map(([url]) => url),
    ]),
  )
}

/** A layout is named by the shortest URL below it, and what all pages load by `*`. */
function urlOfEntry(entry, pages) {
  const below = pages.filter((page) => page.modules.includes(entry))
  const urls = below.map(({ url }) => url).sort((one, other) => one.length - other.length)
  const isShell = !entry.startsWith('src/routes/') || /routes\/_console(\/_silo)?\/route\.tsx$/.test(entry)
  if (isShell && below.length > 1) return entry.includes('sign-in') ? '/login' : '*'
  return urls[0] ?? ''
}

/**
 * @param {string} entry
 * @param {Map<string, Module>} modules
 * @returns {Map<string, number>} Operations with the number of declarations between.
 */
function reachedFrom(entry, modules) {
  const operations = new Map()
  const seen = new Set()
  let wave = [...everythingIn(entry, modules)]
  for (let distance = 0; wave.length > 0; distance += 1) {
    /** @type {Target[]} */
    const next = []
    for (const { file, name } of wave) {
      const key = `${file}#${name}`
      const module = modules.get(file)
      if (seen.has(key) || !module) continue
      seen.add(key)
      if (name !== '') next.push({ file, name: '' })
      const uses = name === '' ? module.effects : module.declarations.get(name)
      if (!uses) {
        const target = targetOf(name, file, module, modules)
        if (target) next.push(target)
        continue
      }
      for (const operation of uses.operations)
        if (!operations.has(operation)) operations.set(operation, distance)
      for (const used of uses.names) {
        if (module.declarations.has(used)) next.push({ file, name: used })
        const imported = module.imports.get(used)
        if (imported)
          next.push(...(imported.name === '*' ? everythingIn(imported.file, modules) : [imported]))
      }
      for (const later of uses.modules) next.push(...everythingIn(later, modules))
    }
    wave = next
  }
  return operations
}

/** What an exported name refers to if its file does not declare it. */
function targetOf(name, file, module) {
  const local = module.exports.get(name)
  if (local === undefined) return undefined
  return module.imports.get(local) ?? (local === name ? undefined : { file, name: local })
}

/** @returns {Target[]} */
function everythingIn(file, modules) {
  const module = modules.get(file)
  if (!module) return []
  return ['', ...module.declarations.keys(), ...module.exports.keys()].map((name) => ({ file, name }))
}

/**
 * @param {string} root
 * @returns {Map<string, Module>}
 */
function modulesOf(root) {
  const files = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file) && file !== 'routeTree.gen.ts')
  return new Map(files.map((file) => [file, moduleOf(root, file)]))
}

/** @returns {Module} */
function moduleOf(root, file) {
  const { program, errors } = parseSync(file, fs.readFileSync(path.join(root, file), 'utf8'))
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  const resolve = (from) =>
    from.startsWith('#/')
      ? from.slice(2)
      : from.startsWith('.')
        ? path.posix.join(path.posix.dirname(file), from)
        : undefined
  /** @type {Module} */
  const module = { declarations: new Map(), imports: new Map(), exports: new Map(), effects: uses() }
  /** Local names of operations: of the namespace, or of one. */
  const operations = { spaces: new Set(), single: new Map() }
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue
    const from = statement.source.value
    for (const { type, local, imported } of statement.specifiers)
      if (operationFiles.test(from)) {
        if (type === 'ImportNamespaceSpecifier') operations.spaces.add(local.name)
        else operations.single.set(local.name, imported.name)
      } else if (resolve(from))
        module.imports.set(local.name, {
          file: resolve(from),
          name: imported?.name ?? (type === 'ImportDefaultSpecifier' ? 'default' : '*'),
        })
    if (statement.specifiers.length === 0 && resolve(from)) module.effects.modules.add(resolve(from))
  }
  const note = (node, into) => collect(node, into, operations, resolve)
  for (const statement of program.body) {
    const { declaration, specifiers, source, type } = statement
    if (type === 'ImportDeclaration') continue
    if (type === 'ExportDefaultDeclaration') {
      module.exports.set('default', 'default')
      module.declarations.set('default', note(declaration, uses()))
    } else if (type === 'ExportNamedDeclaration' && !declaration)
      for (const { local, exported } of specifiers) {
        const from = source && resolve(source.value)
        if (from) module.imports.set(`from ${exported.name}`, { file: from, name: local.name })
        module.exports.set(exported.name, from ? `from ${exported.name}` : local.name)
      }
    else {
      const declared = declaration ?? statement
      if (declared.type === 'VariableDeclaration')
        for (const one of declared.declarations)
          for (const name of namesIn(one.id)) module.declarations.set(name, note(one, uses()))
      else if (declared.id?.name) module.declarations.set(declared.id.name, note(declared, uses()))
      else note(statement, module.effects)
    }
  }
  return module
}

/** @returns {Uses} */
const uses = () => ({ names: new Set(), operations: new Set(), modules: new Set() })

function namesIn(pattern) {
  if (pattern.type === 'Identifier') return [pattern.name]
  const parts = pattern.properties ?? pattern.elements ?? []
  return parts.filter(Boolean).flatMap((part) => namesIn(part.value ?? part.argument ?? part))
}

/** Types call nothing; these wrap expressions that may. */
const wrappers = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
])

function collect(node, into, operations, resolve) {
  if (Array.isArray(node)) for (const one of node) collect(one, into, operations, resolve)
  if (!node || typeof node.type !== 'string') return into
  const { type } = node
  if (type.startsWith('TS') && !wrappers.has(type)) return into
  if (type === 'Identifier' || type === 'JSXIdentifier') {
    into.names.add(node.name)
    const single = operations.single.get(node.name)
    if (single) into.operations.add(single)
  }
  if (type === 'ImportExpression' && resolve(node.source.value ?? ''))
    into.modules.add(resolve(node.source.value))
  if (type === 'MemberExpression' && !node.computed) {
    if (operations.spaces.has(node.object.name)) into.operations.add(node.property.name)
    return collect(node.object, into, operations, resolve)
  }
  if (type === 'JSXMemberExpression') return collect(node.object, into, operations, resolve)
  if (type === 'Property' && !node.computed && !node.shorthand)
    return collect(node.value, into, operations, resolve)
  for (const [key, value] of Object.entries(node))
    if (value && typeof value === 'object' && key !== 'typeAnnotation' && key !== 'typeArguments')
      collect(value, into, operations, resolve)
  return into
}
