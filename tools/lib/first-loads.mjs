import fs from 'node:fs'
import path from 'node:path'

const kB = 1000

/** For every page the same. */
export const sharedLimits = { css: 18 * kB, fonts: 75 * kB }

/**
 * What may be fetched before a page of each kind can be shown, by the end of its URL. The first that fits decides; a
 * page that fits none has no budget, and needs one.
 * @type {readonly { name: string, limit: number, fits: RegExp }[]}
 */
const classes = [
  { name: 'sign-in', limit: 100 * kB, fits: /^\/(login|device)(\/|$)/ },
  { name: 'serial console', limit: 235 * kB, fits: /\/serial-console$/ },
  { name: 'form', limit: 205 * kB, fits: /(-new|-new\/\{-\$\w+\}|\/edit)$/ },
  // The page of one thing or a tab of it: what a list needs, and all that can be done with the thing.
  {
    name: 'detail',
    limit: 190 * kB,
    fits: /\/(i|instances|vpcs|affinity|users|groups)\/\$\w+(\/[a-z-]+)*(\/\$\w+)?$/,
  },
  { name: 'list', limit: 165 * kB, fits: /\/[a-z-]*s$/ },
  { name: 'page', limit: 165 * kB, fits: /\/(\$project|\$instance|affinity|profile|security|utilization)?$/ },
]

/** @param {string} url As its route file spells it. */
export function classOf(url) {
  const found = classes.find(({ fits }) => fits.test(url))
  if (!found)
    throw new Error(`The page ${url} fits no kind of page: give it a budget in tools/lib/first-loads.mjs.`)
  return found
}

/**
 * Every page of the console, with the modules that its first load begins with.
 * @param {string} sources Of the console.
 */
export function pagesOf(sources) {
  const signIn = fs
    .readdirSync(path.join(sources, 'src/sign-in'))
    .filter((file) => /^(login|device)\..*\.tsx$/.test(file))
    .map((file) => ({ url: urlOf(file), modules: ['index.html', 'src/sign-in/open.tsx'] }))
  const files = fs
    .readdirSync(path.join(sources, 'src/routes'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => file.split(path.sep).join('/'))
  const console = files
    .filter((file) => isPage(file, files))
    .map((file) => ({
      url: urlOf(file),
      modules: [
        'index.html',
        'src/console.tsx',
        ...layoutsOf(file, files).map((each) => `src/routes/${each}`),
        `src/routes/${file}`,
      ],
    }))
  return [...signIn, ...console].sort((one, other) => (one.url < other.url ? -1 : 1))
}

/**
 * A layout is shown around pages; where its folder is a part of the URL and has no page of its own, it is one itself.
 * @param {string} file
 * @param {readonly string[]} files
 */
function isPage(file, files) {
  const folder = path.posix.dirname(file)
  if (path.posix.basename(file) === '__root.tsx') return false
  if (path.posix.basename(file) !== 'route.tsx') return true
  return !path.posix.basename(folder).startsWith('_') && !files.includes(`${folder}/index.tsx`)
}

/**
 * @param {string} file
 * @param {readonly string[]} files
 */
const layoutsOf = (file, files) =>
  files.filter(
    (other) =>
      other !== file && other.endsWith('/route.tsx') && file.startsWith(other.replace('route.tsx', '')),
  )

/**
 * `_silo/_projects/projects.$project.edit.tsx` is /projects/$project/edit.
 * @param {string} file
 */
function urlOf(file) {
  const parts = file
    .replace(/\.tsx$/, '')
    // Not the dot in what may be left out: {-$rule}.
    .split(/[/.]/)
    .filter((part) => !part.startsWith('_') && part !== 'index' && part !== 'route')
  return `/${parts.join('/')}`
}
