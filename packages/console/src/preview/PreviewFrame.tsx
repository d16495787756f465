import type { Preview } from '@gantry/preview/start'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { createStore, useStore } from '#/store.ts'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { MenuButton } from '#/ui/overlays/MenuButton.tsx'
import { toast } from '#/ui/overlays/toast.ts'

interface Props {
  preview: Preview
  become: (name: string) => Promise<void>
  children: ReactNode
}

/** By then the first page has usually read its data, which the work in the background would delay. */
const firstPageMs = 1000

/** The banner, with the console in the remaining space below. */
export function PreviewFrame({ preview, become, children }: Props) {
  const visitor = useStore(visits)
  useEffect(() => {
    const timer = setTimeout(preview.startBackground, firstPageMs)
    return () => clearTimeout(timer)
  }, [preview])
  return (
    <div className="preview-frame">
      <PreviewBanner preview={preview} become={become} />
      <div key={visitor} className="preview-console">
        {children}
      </div>
    </div>
  )
}

interface PreviewBannerProps {
  preview: Preview
  become: (name: string) => Promise<void>
}

/** Explains the preview, and selects its user and the conditions of its calls. */
function PreviewBanner({ preview, become }: PreviewBannerProps) {
  const { options, people } = preview
  const [isExplained, setExplained] = useState(false)
  const choices = useSyncExternalStore(options.subscribe, options.current)
  const who = people.find(({ name }) => name === choices.user)?.role ?? choices.user
  return (
    <aside aria-label="Technical preview" data-print="hide" className="preview-banner">
      <p>
        <strong>Technical preview.</strong> The API runs inside this page. Resources created here persist
        across navigation within the console and vanish on refresh.{' '}
        <button type="button" className="link" onClick={() => setExplained(true)}>
          Learn more
        </button>
      </p>
      <MenuButton entries={() => menuEntries(preview, become)} align="end" label="Preview options">
        {(trigger) => (
          <button {...trigger} className="preview-button">
            <span className="sr-only">Preview options: </span>
            <span>{who || 'Signed out'}</span>
            {choices.delay === 'on' && <span className="preview-sign">slow</span>}
            {choices.chaos > 0 && <span className="preview-sign">{choices.chaos} % errors</span>}
            <ChevronDown aria-hidden strokeWidth={1.75} className="size-3.5" />
          </button>
        )}
      </MenuButton>
      {isExplained && <AboutPreview onClose={() => setExplained(false)} />}
    </aside>
  )
}

function AboutPreview({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Console Technical Preview" onRequestClose={onClose}>
      <p>
        The control plane and its database run inside this page, so you can try the console without a server.
      </p>
      <p>
        Nobody else sees the resources that you create. They persist across navigation within the console, and
        vanish on refresh.
      </p>
      <p>
        Requests and responses follow the description of the API. The rack is simulated, so instances and
        their metrics behave only approximately like real ones.
      </p>
    </Dialog>
  )
}

const delays = [
  { value: 'off', label: 'No delay' },
  { value: 'on', label: '200 to 400 ms, at random' },
] as const
/** Selectable percentages; the address or a cookie may set any other. */
const chaosChoices = [0, 5, 20, 50]

/** Entries for the user, the latency and the failure rate of calls. */
function menuEntries({ people, options }: Preview, become: (name: string) => Promise<void>): MenuEntry[] {
  const { user, delay, chaos } = options.current()
  const percentages = [...new Set([...chaosChoices, chaos])].toSorted((one, other) => one - other)
  return [
    { heading: 'Signed-in person' },
    ...people.map(({ name, role }) => ({
      label: `${role} (${name})`,
      checked: name === user,
      onSelect: () => void become(name).then(() => toast.success(`Signed in as ${name}`)),
    })),
    'rule',
    { heading: 'Delay per call' },
    ...delays.map(({ value, label }) => ({
      label,
      checked: value === delay,
      onSelect: () => options.choose({ delay: value }),
    })),
    'rule',
    { heading: 'Chaos' },
    ...percentages.map((share) => ({
      label: share === 0 ? 'No errors' : `${share} % of calls fail`,
      checked: share === chaos,
      onSelect: () => options.choose({ chaos: share }),
    })),
  ]
}

/** Counts the switches of user: state kept for one user must not reach the next. */
export const visits = createStore(0)
