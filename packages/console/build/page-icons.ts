import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

type Drawing = { name: string; node: readonly (readonly [tag: string, attributes: Record<string, string>])[] }

/** `HardDrive` is in the file `hard-drive`, `Disc3` in `disc-3`. */
const fileOf = (icon: string): string =>
  icon.replaceAll(/(?<=.)([A-Z]|\d+)/g, (part) => `-${part}`).toLowerCase()

const importOfIcons = /import \{([^}]*)\} from 'lucide-react'/

/** From their own files, so that a first load's files can be told from what is imported (first-load-groups.ts). */
export const directIcons: Plugin = {
  name: 'direct-icons',
  apply: 'build',
  enforce: 'pre',
  transform: (code) =>
    importOfIcons.test(code)
      ? code.replace(importOfIcons, (statement) =>
          namesIn(statement)
            .map((name) => `import ${name} from 'lucide-react/icons/${fileOf(name)}'`)
            .join(';'),
        )
      : null,
}

const namesIn = (source: string): string[] =>
  (importOfIcons.exec(source)?.[1] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && !name.startsWith('type '))

/**
 * Puts the drawings of the icons that a file imports into the page itself, and leaves references to them in the scripts.
 * The rail is in every first load and has an icon for each kind of thing: as text of the page they need no script to be
 * run, and what the console learns to show makes its first load hardly heavier.
 */
export function pageIcons(file: string): Plugin {
  const names = namesIn(readFileSync(file, 'utf8'))
  const files = new Set(names.map(fileOf))
  const isIcon = /lucide-react\/dist\/esm\/icons\/([\w-]+)\.mjs$/
  return {
    name: 'page-icons',
    apply: 'build',
    enforce: 'pre',
    transform: (_code, id) => {
      const icon = isIcon.exec(id)?.[1]
      if (!icon || !files.has(icon)) return null
      return `import { pageIcon } from '/src/shell/create-icon.ts'\nexport default pageIcon('${icon}')`
    },
    transformIndexHtml: async () => {
      const drawings = await Promise.all(
        [...files].map(async (icon) => {
          const { __iconData } = (await import(`lucide-react/icons/${icon}`)) as { __iconData: Drawing }
          return { tag: 'g', attrs: { id: `icon-${icon}` }, children: __iconData.node.map(stroke) }
        }),
      )
      const svg = { tag: 'svg', attrs: { xmlns: 'http://www.w3.org/2000/svg' }, children: drawings }
      return [{ tag: 'div', attrs: { hidden: true }, children: [svg], injectTo: 'body' as const }]
    },
  }
}

/** A key is for React alone. */
const stroke = ([tag, { key: _key, ...attrs }]: Drawing['node'][number]) => ({ tag, attrs, children: '' })
