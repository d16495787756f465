/** The control plane inside the page; only builds in mode `preview` contain it. */
declare module '@gantry/preview/start' {
  interface Choices {
    /** Name of who is signed in; empty where somebody signed out. */
    user: string
    delay: 'off' | 'on'
    /** Percentage of calls that fail. */
    chaos: number
  }
  export interface Preview {
    people: readonly { name: string; role: string }[]
    options: {
      current: () => Choices
      subscribe: (listener: () => void) => () => void
      choose: (change: Partial<Choices>) => void
    }
    /** Makes the page somebody else's, with all that was made in it. */
    become: (name: string) => Promise<void>
  }
  /** Resolves when requests of this page are answered by the control plane in it. */
  export function start(): Promise<Preview>
}
