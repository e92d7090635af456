// The frame of every page: header, what the address asks for, notices.

import { useEffect } from "preact/hooks";
import { DEFS } from "./board/draw";
import { route } from "./lib/route";
import { banned, lostAt, me, proving, queued } from "./net/connection";
import { t, words } from "./net/i18n";
import { games, tell } from "./net/lobby";
import { lostSince } from "./net/room";
import { Archive } from "./pages/archive/Archive";
import { Banned } from "./pages/banned/Banned";
import { Best } from "./pages/best/Best";
import { Front } from "./pages/front/Front";
import { Learn } from "./pages/learn/Learn";
import { Lobby } from "./pages/lobby/Lobby";
import { Person } from "./pages/person/Person";
import { Replay } from "./pages/replay/Replay";
import { Local } from "./pages/room/Local";
import { Room } from "./pages/room/Room";
import { Watch } from "./pages/watch/Watch";
import { useArrival } from "./ui/arrival";
import { Header } from "./ui/Header";
import { Invitations } from "./ui/Invitations";
import { lazy } from "./ui/lazy";
import { NotFound } from "./ui/NotFound";
import { Notices } from "./ui/Notices";
import { PersonDialog } from "./ui/PersonActions";
import { ReportDialog } from "./ui/ReportDialog";

const Login = lazy((parts) => parts.Login);
const Password = lazy((parts) => parts.Password);
const Token = lazy((parts) => parts.Token);
const SecondStep = lazy((parts) => parts.SecondStep);
const Prove = lazy((parts) => parts.Prove);
const Me = lazy((parts) => parts.Me);
const Analysis = lazy((parts) => parts.Analysis);
const Operator = lazy((parts) => parts.Operator);

export function App() {
  const here = route.value;
  const ready = words.value !== null && me.value !== null && games.value !== null;
  useEffect(() => {
    document.body.dataset.page = here.page;
  }, [here.page]);
  useArrival(location.pathname + location.search);
  const away = (here.page === "room" ? lostSince.value : lostAt.value) !== null;
  useEffect(() => {
    document.body.toggleAttribute("data-away", away);
  }, [away]);
  useEffect(() => {
    if (queued.value && here.page !== "room") tell(t("notice.waits"));
  }, [queued.value]); // in a room the line at the board says so
  return (
    <>
      <svg class="defs" width="0" height="0" aria-hidden="true" dangerouslySetInnerHTML={{ __html: DEFS }} />
      <Header />
      {banned.value ? (
        <Banned refusal={banned.value} />
      ) : ready ? (
        <Page />
      ) : (
        <main class="page" aria-busy="true">
          <div class="skeleton-board" />
        </main>
      )}
      <Invitations />
      <PersonDialog />
      <ReportDialog />
      {proving.value && <Prove done={proving.value.done} />}
      <Notices />
    </>
  );
}

function Page() {
  const here = route.value;
  switch (here.page) {
    case "front":
      return <Front />;
    case "lobby":
      return <Lobby />;
    case "watch":
      return <Watch />;
    case "room":
      return <Room key={here.id} id={here.id} />;
    case "local":
      return <Local key={here.id} id={here.id} />;
    case "replay":
      return <Replay key={here.id} id={here.id} />;
    case "analysis":
      return <Analysis key={here.id + location.search} id={here.id} />;
    case "learn":
      return <Learn game={here.game} />;
    case "archive":
      return <Archive game={here.game} />;
    case "best":
      return <Best game={here.game} />;
    case "person":
      return <Person key={here.id} id={here.id} />;
    case "login":
      return <Login />;
    case "password":
      return <Password />;
    case "token":
      return <Token />;
    case "second":
      return <SecondStep />;
    case "me":
      return <Me />;
    case "operator":
      return <Operator part={here.part} />;
    case "lost":
      return <NotFound />;
  }
}
