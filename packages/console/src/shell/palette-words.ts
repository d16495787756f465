/** Other words for those of the console; each is tried where it is typed. */
const synonyms: readonly (readonly [pattern: RegExp, words: readonly string[]])[] = [
  [/\b(create|add|make|launch)\b/, ['new', 'add']],
  [/\bnew\b/, ['add', 'create']],
  [/\b(vms?|servers?|virtual machines?|machines?)\b/, ['instance']],
  [/\b(log ?out|log ?off|sign ?off|exit)\b/, ['sign out']],
  [/\b(volumes?|drives?)\b/, ['disk']],
  [/\b(backups?)\b/, ['snapshot']],
  [/\b(networks?|subnets?)\b/, ['vpc']],
  [/\b(elastic ips?|public ips?|ips?)\b/, ['floating ip']],
  [/\b(bills?|billing|costs?|prices?|usage|spending)\b/, ['use and cost']],
  [/\b(quotas?|capacity)\b/, ['utilization']],
  [/\b(trash|undelete|deleted)\b/, ['recycle bin']],
  [/\b(history|log|events)\b/, ['activity']],
  [/\b(preferences|options|account)\b/, ['settings']],
  [/\b(permissions|roles|members)\b/, ['access']],
  [/\b(tenants?)\b/, ['silo']],
  [/\b(hosts?|hardware|nodes?)\b/, ['inventory']],
  [/\b(home|start|dashboard)\b/, ['projects', 'overview']],
]

/** At most so many readings of a text, the text itself first. */
const most = 8

/** The text, and the same in the words of the console: `create vm` is `new instance`. */
export function readings(typed: string): string[] {
  const texts = [typed]
  const lower = typed.toLowerCase()
  if (lower.trim() === '') return texts
  let all = [lower]
  for (const [pattern, words] of synonyms) {
    all = all.flatMap((text) =>
      pattern.test(text) ? [text, ...words.map((word) => text.replace(pattern, word))] : [text],
    )
    all = all.slice(0, most * 2)
  }
  for (const text of all) if (!texts.includes(text) && text !== lower) texts.push(text)
  return texts.slice(0, most)
}
