import { useEffect, useRef } from "preact/hooks";

/** useEvery calls run every so many milliseconds, while the page is seen. */
export function useEvery(milliseconds: number, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}
