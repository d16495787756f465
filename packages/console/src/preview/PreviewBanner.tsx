import type { Preview } from '@gantry/preview/start'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useSyncExternalStore } from 'react'
import { MenuButton } from '#/ui/MenuButton.tsx'
import { menuEntries } from './menu-entries.ts'

interface Props {
  preview: Preview
  become: (name: string) => Promise<void>
}

/** Explains the preview, and selects its user and the conditions of its calls. */
export function PreviewBanner({ preview, become }: Props) {
  const { options, people } = preview
  const choices = useSyncExternalStore(options.subscribe, options.current)
  const who = people.find(({ name }) => name === choices.user)?.role ?? choices.user
  return (
    <aside aria-label="Technical preview" data-print="hide" className="preview-banner">
      <p>
        <strong>Technical preview.</strong> The API runs inside this page. Resources created here persist
        across navigation within the console and vanish on refresh.
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
    </aside>
  )
}
