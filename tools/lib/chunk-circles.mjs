/**
 * Chunks that import each other in a circle. One of them runs before the other has anything to give it, which can leave
 * an empty page without any error, so the build refuses them.
 * @param {Record<string, { file: string, imports?: string[] }>} manifest What Vite wrote of the build.
 * @returns {string[]} Of each circle, its files: `shell.js > operators.js > shell.js`.
 */
export function chunkCircles(manifest) {
  /** @type {string[]} */
  const circles = []
  /** @type {Set<string>} */
  const done = new Set()
  /** @type {string[]} */
  const path = []
  const visit = (/** @type {string} */ key) => {
    const at = path.indexOf(key)
    if (at !== -1)
      circles.push([...path.slice(at), key].map((each) => manifest[each]?.file ?? each).join(' > '))
    if (at !== -1 || done.has(key)) return
    path.push(key)
    for (const imported of manifest[key]?.imports ?? []) visit(imported)
    path.pop()
    done.add(key)
  }
  for (const key of Object.keys(manifest)) visit(key)
  return circles
}
