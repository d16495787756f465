import type { Preview } from '@gantry/preview/start'
import { type ReactNode, useSyncExternalStore } from 'react'
import { PreviewBanner } from './PreviewBanner.tsx'
import { visit } from './visit.ts'

interface Props {
  preview: Preview
  become: (name: string) => Promise<void>
  children: ReactNode
}

/** The banner, with the console in the remaining space below. */
export function PreviewFrame({ preview, become, children }: Props) {
  const visitor = useSyncExternalStore(visit.subscribe, visit.current)
  return (
    <div className="preview-frame">
      <PreviewBanner preview={preview} become={become} />
      <div key={visitor} className="preview-console">
        {children}
      </div>
    </div>
  )
}
