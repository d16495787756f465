/**
 * The settings' page with a line for each kind whose number is limited.
 * @param {string} page docs/settings.md
 * @param {Record<string, { noun: string, parent: string, orProject?: true, limit: number }>} limited By setting.
 * @param {Record<string, { noun: string }>} kinds By table.
 */
export function withRowLimits(page, limited, kinds) {
  const lines = Object.entries(limited).map(([name, { noun, parent, orProject, limit }]) => {
    const per = orProject ? `project${parent === 'silo' ? ', and per silo' : ''}` : kinds[parent]?.noun
    const nouns = noun.replace(/([^aeou])y$/, '$1ie') + 's'
    return `| \`limits.rows.${name}\` | ${limit} | ${nouns.charAt(0).toUpperCase()}${nouns.slice(1)} per ${per} |\n`
  })
  return page.replace(/(^\| `limits\.rows\..*\n)+/m, lines.join(''))
}
