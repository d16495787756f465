import type { Fill } from '../support/placeholders.ts'
import type { Api } from '../support/scenes.ts'

type Shown = [role: 'button' | 'link' | 'tab' | 'heading' | 'checkbox' | 'tabpanel' | 'dialog', name: string]
export type Screen = readonly [name: string, path: string, isSignedIn: boolean, shown: Shown]

/** The screens of an area, each with the element that arrives last. */
export interface Area {
  name: string
  /** A fleet viewer sees them, and each disabled action says why. */
  forFleetViewers?: true
  screens: readonly Screen[]
  /**
   * Creates what is shown, so that screens are not empty. The anti-affinity group `apart`, the affinity group
   * `together`, the floating IP `buoy` and the instance `walker` exist already.
   */
  furnish?: (scene: { api: Api; project: string; fill: Fill }) => Promise<void>
}
