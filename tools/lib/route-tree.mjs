// Writes the route tree of the console from the files of its routes, as the build does.
import path from 'node:path'
import { Generator, getConfig } from '@tanstack/router-generator'
import { root } from './builds.mjs'

const console = path.join(root, 'packages/console')

/** @param {string} [file] Where to write it instead. */
export async function writeRouteTree(file) {
  const config = getConfig(file === undefined ? {} : { generatedRouteTree: file }, console)
  await new Generator({ config, root: console }).run()
}
