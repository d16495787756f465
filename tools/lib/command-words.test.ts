import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../../packages/console/src')

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\.gen\./.test(file))
  .map((file) => ({ file: relative(src, join(src, file)), text: readFileSync(join(src, file), 'utf8') }))

const verbs =
  'Add|Allocate|Assign|Attach|Cancel|Change|Clone|Copy|Create|Delete|Demote|Detach|Disable|Download|Edit|Enable|End|Link|Make|Mark|New|Promote|Reboot|Register|Remove|Rename|Replace|Resize|Restart|Revoke|Save|Set|Start|Stop|Test|Unlink|Update|Upload|View|Withdraw'

/** Words that begin with a capital wherever they stand. */
const proper =
  /^(ACS|BFD|BGP|CD|CPU|CSV|DNS|ID|IDs|IP|IPs|IPv4|IPv6|LLDP|MAC|OxQL|PNG|RAM|SAML|SCIM|SSH|TLS|URL|VPC|VPCs|YAML|IdP)\b/

interface Command {
  file: string
  words: string
}

/** Texts of buttons, menus, dialogs and titles that begin with a verb, in literals and between tags. */
const commands: Command[] = files.flatMap(({ file, text }) => {
  const literals = [...text.matchAll(/['"`]([^'"`\n]{3,60})['"`]/g)].map(([, words = '']) => words)
  const children = [...text.matchAll(/>\s*([A-Z][^<>{}=]{2,60}?)\s*</g)].map(([, words = '']) =>
    words.replaceAll(/\s+/g, ' '),
  )
  return [...literals, ...children]
    .filter((words) => new RegExp(`^(${verbs}) [\\w $]`).test(words) && !/[.,:/]/.test(words))
    .map((words) => ({ file, words }))
})

test('commands are found', () => {
  expect(commands.length).toBeGreaterThan(150)
})

test('every command is in sentence case', () => {
  const wrong = commands.filter(({ words }) =>
    words
      .split(' ')
      .slice(1)
      .some((word) => /^[A-Z]/.test(word) && !proper.test(word)),
  )
  expect(wrong).toEqual([])
})

const routes = files.filter(({ file }) => file.startsWith('routes/'))
/** The title of a route that is a form over another page. */
const titleOf = (text: string): string | undefined => /staticData: \{ title: '([^']+)' \}/.exec(text)?.[1]

test('the title of a form begins with the verb of its path', () => {
  const verbOf = (file: string): string | undefined => {
    if (/-new(\.|$)/.test(file)) return 'New'
    if (/-add(\.|$)/.test(file)) return 'Add'
    if (/-upload(\.|$)/.test(file)) return 'Upload'
    return /[./]edit(\.|$)/.test(file) ? 'Edit' : undefined
  }
  const others = routes.flatMap(({ file, text }) => {
    const [title, verb] = [titleOf(text), verbOf(file)]
    return title && verb && !title.startsWith(`${verb} `) ? [`${file.split('/').at(-1)}: ${title}`] : []
  })
  // The verbs of the API where it neither creates nor edits.
  expect(others.toSorted()).toEqual([
    'announce-sets.$set.edit.tsx: Replace networks',
    'bfd-new.tsx: Enable BFD session',
    'edit.tsx: Replace port settings',
    'images-new.tsx: Upload image',
    'snapshots.$snapshot.images-new.tsx: Create image from snapshot',
    'ssh-keys-new.tsx: Add SSH key',
    'ssh-keys.$sshKey.edit.tsx: View SSH key',
    'update-trust-roots-new.tsx: Add trust root',
  ])
})
